import { N8nError } from './errors';
import { send } from './http';

/** Who is logged in to the editor: the owner that the harness sets up. */
export interface Owner {
  readonly email: string;
  readonly password: string;
}

/** An answer of n8n's REST API. */
export interface RestAnswer {
  readonly status: number;
  /** What stands under `data`, else the whole body. */
  readonly data: unknown;
}

/** n8n's REST API as its editor uses it: JSON, and a cookie that says who is logged in. */
export class RestClient {
  private cookie = '';
  /** The bodies of all answers, for the search for secrets. */
  readonly transcript: string[] = [];

  constructor(readonly url: string) {}

  /** Makes the first user of a fresh n8n, who is logged in from then on. */
  async setUpOwner(owner: Owner): Promise<void> {
    await this.rest('POST', '/rest/owner/setup', { ...owner, firstName: 'Navin', lastName: 'Owner' });
  }

  /**
   * Asks and wants success.
   *
   * @returns what stands under `data`
   * @throws N8nError request_failed
   */
  async rest(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, data } = await this.ask(method, path, body);
    if (status < 200 || status > 299) {
      throw new N8nError(
        'request_failed',
        `${method} ${path} was answered by ${status}: ${JSON.stringify(data).slice(0, 2000)}`,
      );
    }
    return data;
  }

  /** Asks and takes any answer. */
  async ask(method: string, path: string, body?: unknown): Promise<RestAnswer> {
    const { status, headers, text } = await send(this.url + path, {
      method,
      headers: { accept: 'application/json', cookie: this.cookie },
      body,
    });
    this.transcript.push(text);
    const cookies = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    return { status, data: bodyOf(text) };
  }
}

function bodyOf(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
}

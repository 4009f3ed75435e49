import type { Agent } from 'node:https';
import { createPinnedAgent, nextHop } from '../../../core/egress';
import { isRecord } from '../../../core/kube';
import { renderFailed } from '../charts';
import { parseChallenge, type Challenge } from './challenge';
import { get, TooLargeError, type GetAnswer } from './httpGet';
import type { Reach } from './reach';
import type { RegistryCredential } from './registryConfig';

/** Whom a session talks to. */
export interface SessionOptions {
  readonly origin: URL;
  readonly reach: Reach;
  readonly credential: RegistryCredential | undefined;
  /** PEM of all CAs that listed hosts may have; default: the public ones. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

const MAX_TOKEN_BYTES = 64 * 1024;

/** The requests for one chart: one registry, one authorization, connections that end with it. */
export class RegistrySession {
  private readonly agents = new Map<string, Agent>();
  private authorization: string | undefined;

  constructor(private readonly options: SessionOptions) {}

  /** Ends every connection. */
  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  /**
   * What the registry has at a path.
   *
   * @throws ChartError; errors of the connection as they are
   */
  async get(path: string, accept: string, maxBytes: number): Promise<Buffer> {
    const url = new URL(path, this.options.origin);
    let answer = await this.ask(url, accept, maxBytes, this.authorization);
    if (answer.status === 401) {
      this.authorization = await this.authorize(answer.headers['www-authenticate']);
      answer = await this.ask(url, accept, maxBytes, this.authorization);
    }
    answer = await this.followed(url, answer, accept, maxBytes);
    if (answer.status === 200) return answer.body;
    throw renderFailed(this.problemOf(answer.status));
  }

  private problemOf(status: number): string {
    const { host } = this.options.origin;
    if (status === 401 || status === 403) return `${host} does not allow to read the chart: see --registry-config.`;
    if (status === 404) return `${host} has no chart of this name and digest.`;
    if (status === 429) return `${host} answers that it was asked too often.`;
    return `${host} answers with the status ${status}.`;
  }

  private async ask(url: URL, accept: string, maxBytes: number, authorization?: string): Promise<GetAnswer> {
    const headers = { Accept: accept, ...(authorization === undefined ? {} : { Authorization: authorization }) };
    try {
      return await get({ url, headers, agent: this.agentFor(url), maxBytes, signal: this.options.signal });
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      throw renderFailed(`${this.options.origin.host} answers with more than it should.`, { cause: error });
    }
  }

  /** Storage behind a registry: whatever it is asked by, it gets no credentials. */
  private async followed(from: URL, first: GetAnswer, accept: string, maxBytes: number): Promise<GetAnswer> {
    let url = from;
    let answer = first;
    for (let followed = 0; [301, 302, 303, 307, 308].includes(answer.status);) {
      const location = answer.headers.location ?? '';
      const target = URL.canParse(location, url.href) ? new URL(location, url) : url;
      const hop = await nextHop(this.options.reach.policyFor(target), url, location, { followed });
      ({ url, followed } = hop);
      answer = await this.ask(url, accept, maxBytes);
    }
    return answer;
  }

  private async authorize(header: string | undefined): Promise<string> {
    const { credential, origin } = this.options;
    const challenge = parseChallenge(header);
    if (challenge?.scheme === 'bearer') return `Bearer ${await this.token(challenge)}`;
    if (challenge === undefined || credential === undefined) {
      throw renderFailed(`${origin.host} asks for credentials: see --registry-config.`);
    }
    return basic(credential);
  }

  /** A token of the server that the registry names. The administrator must have listed it, too: it gets the password. */
  private async token({ parameters }: Challenge): Promise<string> {
    const { credential, origin, reach } = this.options;
    const realm = parameters.get('realm') ?? '';
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || !reach.isListed(url)) {
      throw renderFailed(
        `${origin.host} sends for a token to a server that is not listed: add its host to --oci-registries.`,
      );
    }
    for (const name of ['service', 'scope']) {
      const value = parameters.get(name);
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const authorization = credential === undefined ? undefined : basic(credential);
    const answer = await this.ask(url, 'application/json', MAX_TOKEN_BYTES, authorization);
    const token = answer.status === 200 ? tokenIn(answer.body) : undefined;
    if (token === undefined)
      throw renderFailed(`${url.host} gives no token for ${origin.host}: see --registry-config.`);
    return token;
  }

  private agentFor(url: URL): Agent {
    const known = this.agents.get(url.host);
    if (known !== undefined) return known;
    const { reach, ca } = this.options;
    const tls = ca === undefined || !reach.isListed(url) ? {} : { ca };
    const agent = createPinnedAgent({ policy: reach.policyFor(url), tls, maxSockets: 2 });
    this.agents.set(url.host, agent);
    return agent;
  }
}

function basic({ username, password }: RegistryCredential): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function tokenIn(body: Buffer): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isRecord(answer)) return undefined;
  const token = answer.token ?? answer.access_token;
  // Anything else could break out of the header it is sent in.
  return typeof token === 'string' && /^[\w.~+/=-]{1,16384}$/.test(token) ? token : undefined;
}

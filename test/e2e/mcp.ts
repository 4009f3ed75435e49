import { N8nError } from './errors';
import { send } from './http';

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
}

/** What a call of a tool gave. */
export interface McpResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const PROTOCOL_VERSION = '2025-06-18';

/** As much of an MCP client (streamable HTTP) as it takes to call a tool the way an AI assistant does. */
export class McpClient {
  private session: string | undefined;
  private lastId = 0;

  private constructor(private readonly url: string) {}

  /** Opens a session. @throws N8nError request_failed */
  static async connect(url: string): Promise<McpClient> {
    const client = new McpClient(url);
    const clientInfo = { name: 'navin-e2e', version: '1' };
    await client.call('initialize', { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo });
    await client.post({ method: 'notifications/initialized' });
    return client;
  }

  /** The tools that the server offers. */
  async tools(): Promise<readonly McpTool[]> {
    return ((await this.call('tools/list', {})) as { tools: readonly McpTool[] }).tools;
  }

  /** Calls a tool. */
  async callTool(name: string, parameters: Readonly<Record<string, unknown>>): Promise<McpResult> {
    return (await this.call('tools/call', { name, arguments: parameters })) as McpResult;
  }

  private async call(method: string, params: unknown): Promise<unknown> {
    const text = await this.post({ method, params, id: ++this.lastId });
    // Answers come as server-sent events; each of ours is one event with one line of data.
    const line = text.split('\n').find((candidate) => candidate.startsWith('data:'));
    const { result, error } = JSON.parse(line?.slice('data:'.length) ?? text) as RpcAnswer;
    if (error !== undefined) throw new N8nError('request_failed', `MCP ${method}: ${error.message}`);
    return result;
  }

  private async post(message: object): Promise<string> {
    const { status, headers, text } = await send(this.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        ...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
      },
      body: { jsonrpc: '2.0', ...message },
    });
    const session = headers['mcp-session-id'];
    if (typeof session === 'string') this.session = session;
    if (status > 299) throw new N8nError('request_failed', `MCP answered ${status}: ${text.slice(0, 500)}`);
    return text;
  }
}

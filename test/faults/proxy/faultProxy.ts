import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CertificateAuthority } from '../../certificates';
import { hangUp, stall } from '../behaviours';
import { FaultServer, type Exchange, type ReceivedRequest } from '../faultServer';
import { describeFault, type FaultPlan, type WatchFault } from './plan';
import { refuse } from './refusals';
import { limited, requestKind, type RequestKind } from './requestKind';
import { bodyOf, written } from './answerBody';
import { headersOf, type Upstream } from './upstream';
import { WatchWindow } from './watchWindow';

/** What a proxy tells of what it does. */
export interface ProxyListener {
  /** A watch that begins after a version is about to be answered. */
  watchOpened(scope: string, version: string): void;
  /** A watch was told that its history is gone, by the API server or by the plan, after it was given all up to a version. */
  expired(scope: string, version: string): void;
  /** The API server has forgotten the moment of a list whose pages are being read. */
  listTorn(scope: string): void;
  /** A request met a fault, or was refused by the API server. */
  note(text: string): void;
}

/** Sees all that goes through, and may end the process of the client at any moment: answers whether that lives on. */
export interface ProxyGuard {
  /** A request came, and the API server does not know of it yet. */
  asks(request: ReceivedRequest): boolean;
  /** The API server has acted, and the client does not know of it yet. Of watches nothing is told. */
  answered(request: ReceivedRequest, status: number, body: Buffer): boolean;
}

/** How a proxy behaves. */
export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly plan: FaultPlan;
  /** How many times faster than ours the client's time goes: windows end so much sooner. Default 1. */
  readonly speed?: number;
  /** How long the API server surely has forgotten a version after, ms of our time. Default 3 s. */
  readonly forgottenMs?: number;
  /** Default: a fresh one. Making one takes longer than a proxy lives, so many share one. */
  readonly authority?: CertificateAuthority;
  readonly listener?: Partial<ProxyListener>;
  readonly guard?: ProxyGuard;
}

const nothing = (): void => undefined;
const SILENT: ProxyListener = { watchOpened: nothing, expired: nothing, listTorn: nothing, note: nothing };

/**
 * A TLS server between a client and the real API server. The n-th watch, list or read meets the n-th fault of the plan;
 * everything else goes through as it is, but that windows and pages may be shorter than asked for, as servers may do.
 */
export class FaultProxy {
  private readonly counts = { watch: 0, list: 0, read: 0 };
  private readonly listener: ProxyListener;
  private readonly closing = new AbortController();
  private plan: FaultPlan | undefined;
  private isDead = false;
  /** How often each kind of fault was met. */
  readonly faults = new Map<string, number>();

  private constructor(
    private readonly server: FaultServer,
    private readonly options: ProxyOptions,
  ) {
    this.plan = options.plan;
    this.listener = { ...SILENT, ...options.listener };
    server.always((exchange) => this.answer(exchange));
  }

  static async start(options: ProxyOptions): Promise<FaultProxy> {
    const { authority } = options;
    return new FaultProxy(await FaultServer.start(authority === undefined ? {} : { authority }), options);
  }

  /** `https://127.0.0.1:PORT` */
  get url(): string {
    return this.server.url;
  }

  get port(): number {
    return this.server.port;
  }

  /** The CA to trust, PEM. */
  get ca(): string {
    return this.server.ca;
  }

  /** No more faults. Those that are going on stay. */
  calm(): void {
    this.plan = undefined;
  }

  /** Breaks all connections, as when the client's process is gone. */
  async drop(): Promise<void> {
    await this.server.closeConnections();
  }

  /** The client's process is gone: nothing goes through any more, in either direction. */
  die(): void {
    this.isDead = true;
    this.closing.abort();
    void this.server.closeConnections();
  }

  async stop(): Promise<void> {
    this.closing.abort();
    await this.server.stop();
  }

  private async answer(exchange: Exchange): Promise<void> {
    if (this.isDead || this.options.guard?.asks(exchange.request) === false) {
      exchange.reset();
      return;
    }
    const asked = requestKind(exchange.request.url);
    const fault = this.nextFault(asked.kind);
    if (fault) this.meet(asked, fault);
    if (asked.kind === 'watch') this.listener.watchOpened(asked.scope, asked.version);
    const life = this.lifeOf(exchange);
    try {
      await this.respond(exchange, asked, fault, life.signal);
    } catch {
      // The API server broke off, or the client did: either way the connection is of no more use.
      exchange.reset();
    } finally {
      life.end();
    }
  }

  private async respond(
    exchange: Exchange,
    asked: RequestKind,
    fault: WatchFault | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (fault?.kind === 'reset') {
      exchange.reset();
      return;
    }
    if (fault?.kind === 'hang-up') return hangUp()(exchange);
    if (fault?.kind === 'stall') return stall()(exchange);
    if (fault?.kind === 'refuse') {
      if (fault.as === 'expired') this.listener.expired(asked.scope, asked.version);
      return refuse(fault.as)(exchange);
    }
    if (fault?.kind === 'delay') await this.pause(fault.ms, signal);
    if (fault?.kind === 'hold-page' && asked.token !== undefined) {
      await sleep(this.options.forgottenMs ?? 3000, undefined, { signal });
    }
    return this.forward(exchange, asked, fault, signal);
  }

  private async forward(
    exchange: Exchange,
    asked: RequestKind,
    fault: WatchFault | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { upstream, plan } = this.options;
    const { url } = exchange.request;
    const most = asked.kind === 'list' && this.plan ? plan.pageLimit : undefined;
    const plain = asked.kind === 'watch';
    const answer = await upstream.send(exchange, most === undefined ? url : limited(url, most), plain, signal);
    const status = answer.statusCode ?? 502;
    if (status >= 400) this.refused(asked, status);
    if (asked.kind === 'watch' && status === 200 && fault?.kind !== 'cut') {
      await this.stream(exchange, asked, answer, fault, signal);
      return;
    }
    const body = await bodyOf(answer);
    if (asked.kind !== 'watch' && this.options.guard?.answered(exchange.request, status, body) === false) {
      exchange.reset();
      return;
    }
    const { response } = exchange;
    if (fault?.kind !== 'cut') {
      response.writeHead(status, headersOf(answer.headers)).end(body);
      return;
    }
    const { 'content-length': length, ...headers } = headersOf(answer.headers);
    void length;
    response.writeHead(status, headers);
    const part = body.subarray(0, Math.floor(body.length * fault.share));
    await written(response, part.length === 0 ? Buffer.from(' ') : part);
    if (fault.reset) exchange.reset();
    else response.end();
  }

  /** A window ends by the client's time: the API server counts by ours. */
  private async stream(
    exchange: Exchange,
    { scope, version, timeoutSeconds }: RequestKind,
    answer: IncomingMessage,
    fault: WatchFault | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const ms = Math.ceil((timeoutSeconds * 1000) / (this.options.speed ?? 1));
    const window = new WatchWindow({
      exchange,
      fault,
      signal,
      end: AbortSignal.any([signal, AbortSignal.timeout(ms)]),
      pause: (pauseMs) => this.pause(pauseMs, signal),
      onExpired: (reached) => {
        if (fault?.kind !== 'error-event') this.count('real 410 in a watch');
        this.listener.expired(scope, String(Math.max(reached, Number(version))));
      },
    });
    await window.pass(answer);
  }

  private nextFault(kind: RequestKind['kind']): WatchFault | undefined {
    const number = this.counts[kind];
    this.counts[kind] += 1;
    const { plan } = this;
    if (!plan) return undefined;
    return kind === 'watch' ? plan.watches[number] : kind === 'list' ? plan.lists[number] : plan.reads[number];
  }

  private meet({ kind, scope }: RequestKind, fault: WatchFault): void {
    this.count('as' in fault ? `${fault.kind} ${fault.as}` : fault.kind);
    this.listener.note(`${kind} ${this.counts[kind]}${of(scope)} meets ${describeFault(fault)}`);
  }

  private refused({ kind, scope, version, token }: RequestKind, status: number): void {
    this.count(`real ${status}${kind === 'read' ? '' : ` to a ${kind}`}`);
    this.listener.note(`${kind} ${this.counts[kind]}${of(scope)} is refused by the API server: ${status}`);
    if (status !== 410) return;
    if (kind === 'watch') this.listener.expired(scope, version);
    if (kind === 'list' && token !== undefined) this.listener.listTorn(scope);
  }

  private count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return sleep(ms / (this.options.speed ?? 1), undefined, { signal });
  }

  /** Aborts when the client has gone or the proxy stops. */
  private lifeOf({ response }: Exchange): { readonly signal: AbortSignal; readonly end: () => void } {
    const gone = new AbortController();
    const onClose = (): void => {
      if (!response.writableFinished) gone.abort();
    };
    const onStop = (): void => {
      gone.abort();
    };
    response.once('close', onClose);
    this.closing.signal.addEventListener('abort', onStop, { once: true });
    return {
      signal: gone.signal,
      end: () => {
        response.off('close', onClose);
        this.closing.signal.removeEventListener('abort', onStop);
      },
    };
  }
}

function of(scope: string): string {
  return scope === '' ? '' : ` of ${scope}`;
}

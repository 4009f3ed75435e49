import type { Agent } from 'node:https';
import { createPinnedAgent, destinationOf, type EgressPolicy, type ExternalFilter, type Resolver } from '../egress';
import type { ClusterTarget } from '../kubeconfig';
import { AgentPool, type AgentLease } from './agents';
import { Deadline, sleep } from './deadline';
import { Requester } from './requester';
import { Transport } from './transport';
import type { UpgradeMeans } from './upgrade';

/** How a client reaches its cluster, and within which bounds. */
export interface KubeClientOptions {
  readonly target: ClusterTarget;
  readonly egress: EgressPolicy;
  /** The id of the n8n credential, for grants to certain credentials. */
  readonly credentialId?: string | undefined;
  /** Stops everything the client does. */
  readonly signal?: AbortSignal | undefined;
  /** One try of a request, up to the end of its answer, in ms. Default 30 000. */
  readonly requestTimeoutMs?: number | undefined;
  /** A request with all its tries and pauses, in ms. Default twice `requestTimeoutMs`. */
  readonly totalTimeoutMs?: number | undefined;
  /** The longest silence within an answer, in ms. Default 20 000. */
  readonly idleTimeoutMs?: number | undefined;
  /** Of one answer, decompressed. Default 64 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /** Tries after the first. Default 4. Reads; changes only where nothing can have been done. */
  readonly maxRetries?: number | undefined;
  /**
   * Ask for gzip, which the API server uses from 128 KiB on. Default true: a tenth of the bytes, and even on loopback a
   * list of 10,000 pods costs no more time, a tenth less CPU and 20 MiB less memory (there is less to decrypt and copy).
   */
  readonly compress?: boolean | undefined;
  /**
   * Find out whether it is the namespace that is missing where an object is, by reading the namespace. Default true; false
   * for identities that may not: each time would be a denied request.
   */
  readonly looksForNamespaces?: boolean | undefined;
  readonly userAgent?: string | undefined;
  /** n8n's own egress filter, asked before each connection. */
  readonly externalFilter?: ExternalFilter | undefined;
  /**
   * Called when the token of the target is not accepted: it may have been exchanged where it comes from. When the target has
   * another one afterwards, the request is sent once more.
   */
  readonly renewToken?: (() => Promise<void>) | undefined;
  /** Called with what the API server warns of beside its answers, for instance a version that will be removed. */
  readonly onWarning?: ((text: string) => void) | undefined;
  readonly onDevAddress?: (() => void) | undefined;
  /** For tests. */
  readonly resolver?: Resolver | undefined;
  /** For tests: in place of the pinned agent of `core/egress`. */
  readonly agent?: Agent | undefined;
  /** For tests. Ends early when the signal aborts, without an error. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** For tests. */
  readonly random?: (() => number) | undefined;
}

/** What all parts of a client share. */
export interface ClientMeans {
  readonly requester: Requester;
  /** For what is no request with an answer: commands. */
  readonly upgrade: UpgradeMeans;
  readonly idleMs: number;
  readonly maxRetries: number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 20_000;
const MAX_RETRIES = 4;
const USER_AGENT = 'navin-n8n-nodes-kubernetes';

const agents = new AgentPool({ create: createPinnedAgent });

/** Fills in the defaults. @param closing stops everything, beside the signal of the options */
export function clientMeans(options: KubeClientOptions, closing: AbortSignal): ClientMeans {
  const { target } = options;
  const destination = destinationOf(new URL(target.server), options.credentialId);
  const { identity } = target;
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const pause = options.sleep ?? sleep;
  const means = {
    idleMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? MAX_RETRIES,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      const deadline = new Deadline([options.signal, closing, signal]);
      try {
        await pause(milliseconds, deadline.signal);
      } finally {
        deadline.dispose();
      }
    },
    now,
  };
  const shared = {
    server: target.server,
    destination,
    headers: () => ({
      'User-Agent': options.userAgent ?? USER_AGENT,
      ...(identity.type === 'token' ? { Authorization: `Bearer ${identity.token}` } : {}),
    }),
    credentials: () => (identity.type === 'token' ? [identity.token] : []),
    requestTimeoutMs,
    signals: [options.signal, closing],
  };
  const requester = new Requester({
    ...shared,
    onWarning: options.onWarning ?? (() => undefined),
    renew: options.renewToken ?? (() => Promise.resolve()),
    transport: new Transport({ destination, lease: (streaming) => leaseAgent(options, streaming) }),
    totalTimeoutMs: options.totalTimeoutMs ?? 2 * requestTimeoutMs,
    idleTimeoutMs: means.idleMs,
    maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
    maxRetries: means.maxRetries,
    compress: options.compress ?? true,
    sleep: means.sleep,
    random: options.random ?? Math.random,
    now,
  });
  return { ...means, requester, upgrade: { ...shared, lease: () => leaseAgent(options, true) } };
}

function leaseAgent(options: KubeClientOptions, streaming: boolean): AgentLease {
  if (options.agent) return { agent: options.agent, release: () => undefined };
  return agents.lease({
    target: options.target,
    policy: options.egress,
    credentialId: options.credentialId,
    streaming,
    resolver: options.resolver,
    externalFilter: options.externalFilter,
    onDevAddress: options.onDevAddress,
  });
}

/** Milliseconds that never run backwards. */
function now(): number {
  return performance.now();
}

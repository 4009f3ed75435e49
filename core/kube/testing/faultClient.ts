import { inspect } from 'node:util';
import type { EgressPolicy } from '../../egress';
import { isNavinError, type NavinError } from '../../errors';
import { targetFromToken, type ClusterTarget } from '../../kubeconfig';
import { KubeClient } from '../client';
import type { KubeClientOptions } from '../clientOptions';

/** The token that test clients send: no error may show it. */
export const TEST_TOKEN = 'test-token-7f3a9c51d2';

interface Server {
  readonly url: string;
  readonly ca: string;
  readonly port: number;
}

/** The egress policy that admits a server on loopback. */
export function policyFor(server: Pick<Server, 'port'>): EgressPolicy {
  return { grants: [], devApiServer: { address: '127.0.0.1', port: server.port } };
}

/** The target of a server on loopback, by token. */
export function targetFor(
  server: Server,
  options: { readonly ca?: string; readonly path?: string } = {},
): ClusterTarget {
  const { target } = targetFromToken({
    server: `${server.url}${options.path ?? ''}`,
    ca: options.ca ?? server.ca,
    token: TEST_TOKEN,
    namespace: 'shop',
    devApiServer: { address: '127.0.0.1', port: server.port },
  });
  return target;
}

/** A client whose pauses take no time; they are noted in `pauses`, in ms. */
export interface FaultClient {
  readonly client: KubeClient;
  readonly pauses: number[];
}

/** A client of a fault server, by the pinned agent of core/egress. */
export function faultClient(server: Server, options: Partial<KubeClientOptions> = {}): FaultClient {
  const pauses: number[] = [];
  const client = new KubeClient({
    target: targetFor(server),
    egress: policyFor(server),
    random: () => 0.5,
    sleep: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
    ...options,
  });
  return { client, pauses };
}

/** The error of ours that a promise ends with; anything else fails the test. */
export async function errorOf(promise: Promise<unknown>): Promise<NavinError> {
  try {
    await promise;
  } catch (error) {
    if (isNavinError(error)) return error;
    throw error;
  }
  throw new Error('expected an error');
}

/** Everything an error shows, also to somebody who prints it with all its causes: what must not hold secrets. */
export function shown(error: NavinError): string {
  return `${JSON.stringify([error.message, error.hint, error.details, error])} ${inspect(error, { depth: 20, showHidden: true })}`;
}

/** All that a generator gives. */
export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}

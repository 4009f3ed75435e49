import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { installDefinition } from '../../../core/components/testing/definition';
import { systemClock } from '../../../core/clock';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import type { ApiResource, KubeClient } from '../../../core/kube';
import type { Cluster } from '../../../test/cluster';
import { ChartStore } from '../charts';
import { Operator, type OperatorEvents, type OperatorOptions } from '../control';
import { Renderer } from '../render';
import { renderPrograms } from './machine';

/** Where the charts of the examples are. */
export const EXAMPLE_CHARTS = resolve(__dirname, '../../../examples/charts');

/** What a test may want otherwise. */
export interface TestOperatorOptions extends Partial<Omit<OperatorOptions, 'lease'>> {
  readonly namespaces: readonly string[];
  readonly chartsDir?: string;
  /** Whom the operator is to the API server. Default: the administrator. */
  readonly kubeconfig?: string;
  readonly leaseNamespace?: string;
}

/** A real operator in this process, with real helm, on the disposable cluster. */
export interface TestOperator {
  readonly operator: Operator;
  stop(graceMs?: number): Promise<void>;
}

/** Starts an operator. No component may be there before {@link installComponents} was called. */
export async function startTestOperator(cluster: Cluster, options: TestOperatorOptions): Promise<TestOperator> {
  const { namespaces, chartsDir = EXAMPLE_CHARTS, kubeconfig, leaseNamespace, ...rest } = options;
  const client =
    rest.client ??
    clusterClient(cluster, { looksForNamespaces: false, ...(kubeconfig === undefined ? {} : { kubeconfig }) });
  const renderer =
    rest.renderer ??
    new Renderer({
      charts: new ChartStore({ chartsDir, registry: NO_REGISTRY }),
      programs: await renderPrograms(),
      clock: systemClock,
    });
  const namespace = leaseNamespace ?? (await cluster.freshNamespace('operator'));
  const operator = new Operator({
    clock: systemClock,
    random: Math.random,
    ...rest,
    ...{ client, renderer, namespaces },
    lease: { namespace, name: 'navin-operator', holder: `test-${randomUUID()}` },
  });
  operator.start();
  return {
    operator,
    stop: async (graceMs) => {
      await operator.stop(graceMs);
      if (rest.client === undefined) client.close();
    },
  };
}

/** Installs the definition of the resource. */
export async function installComponents(client: KubeClient): Promise<ApiResource> {
  return installDefinition(client);
}

const NO_REGISTRY = {
  fetch: (): Promise<never> => Promise.reject(new Error('this operator has no registry')),
};

/** Events as lines, for a test that failed to show. */
export function eventLines(lines: string[]): OperatorEvents {
  const of = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return {
    onLeading: () => lines.push('leading'),
    onFollowing: (end) => lines.push(`following (${end})`),
    onLeaseFault: (error) => lines.push(`lease: ${of(error)}`),
    onWatchFault: ({ kind, namespace, error }) => lines.push(`watch of ${kind} in ${namespace}: ${of(error)}`),
    onPassFailed: ({ component, error, failures }) => lines.push(`${component} failed ${failures}: ${of(error)}`),
    onStep: ({ component, step, object = '', outcome, reason = '' }) =>
      lines.push([component, step, object, outcome, reason].filter((word) => word !== '').join(' ')),
    onStatus: ({ metadata, status = {} }) => {
      const { state = '', health = '', operationState = '', converged = false, operation } = status;
      lines.push(
        `${metadata.namespace ?? ''}/${metadata.name ?? ''} is ${state} ${health} ${operation?.type ?? ''} ${operationState} ${converged} ${operation?.reason ?? ''}`.trimEnd(),
      );
    },
    onGone: (component) => lines.push(`${component} is gone`),
  };
}

/**
 * The operator in a process of its own, with what a bench has to know: it tells its parent when it leads, when each
 * component had its first operation, and how long a pass over everything takes.
 */
import { readFileSync } from 'node:fs';
import { systemClock } from '../core/clock';
import { loadEgressPolicy } from '../core/egress';
import { targetFromKubeconfig } from '../core/kubeconfig';
import { KubeClient } from '../core/kube';
import { ChartStore } from '../operator/src/charts';
import { Operator } from '../operator/src/control';
import { findRenderPrograms, Renderer } from '../operator/src/render';

const [, , kubeconfigFile = '', server = '', namespace = '', chartsDir = ''] = process.argv;

async function main(): Promise<void> {
  const egress = loadEgressPolicy(process.env);
  const kubeconfig = readFileSync(kubeconfigFile, 'utf8');
  const { target } = targetFromKubeconfig({ kubeconfig, server, devApiServer: egress.devApiServer });
  const client = new KubeClient({ target, egress, userAgent: 'navin-bench-operator' });
  const registry = { fetch: () => Promise.reject(new Error('no registry')) };
  const programs = await findRenderPrograms();
  const renderer = new Renderer({ charts: new ChartStore({ chartsDir, registry }), programs, clock: systemClock });
  const applied = new Set<string>();
  let passing: { readonly left: Set<string>; readonly begun: number } | undefined;
  const operator = new Operator({
    client,
    namespaces: [namespace],
    renderer,
    lease: { namespace: 'bench-operator', name: 'navin-operator', holder: `bench-${process.pid}` },
    clock: systemClock,
    random: Math.random,
    resyncMs: 3_600_000,
    events: {
      onLeading: () => process.send?.({ leading: true }),
      onPassFailed: ({ component, error }) => {
        process.send?.({ failed: `${component}: ${error instanceof Error ? error.message : String(error)}` });
      },
      onStatus: ({ metadata: { name = '' }, status }) => {
        if (status?.operationState === 'succeeded') applied.add(name);
        process.send?.({ applied: applied.size });
      },
      onPass: ({ component }) => {
        if (passing?.left.delete(component) !== true || passing.left.size > 0) return;
        process.send?.({ passMs: performance.now() - passing.begun });
        passing = undefined;
      },
    },
  });
  process.on('message', () => {
    const keys = operator.health().components.map(({ metadata }) => `${namespace}/${metadata.name ?? ''}`);
    passing = { left: new Set(keys), begun: performance.now() };
    operator.lookAgain();
  });
  process.on('disconnect', () => process.exit());
  operator.start();
}

void main();

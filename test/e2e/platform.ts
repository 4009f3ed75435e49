import { afterAll, beforeAll } from '@jest/globals';
import { OPERATIONS } from '../../nodes/catalog';
import { type RightsGroup, rightsOfGroup } from '../../nodes/shared/rights';
import { startDemoOperator } from '../../scripts/demoOperator';
import { type OwnCluster, type PolicyRule, startCluster } from '../cluster';
import { CREDENTIAL_NAME, CREDENTIAL_TYPE, installN8n, kubeconfigCredential, type N8n, startN8n } from './n8n';

/** The namespace of the components. */
export const PLATFORM = 'navin-platform';

/** A cluster with the operator and its two components, as the demo starts them, and n8n with the package. */
export interface Platform {
  readonly cluster: OwnCluster;
  readonly n8n: N8n;
}

/** The programs may have to be built and n8n installed first. */
const HOOK_TIMEOUT_MS = 30 * 60_000;

/** Starts the platform before the tests and ends it after them. @returns asks for it; only within tests and hooks */
export function usePlatform(): () => Platform {
  let platform: Platform | undefined;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const cluster = await startCluster({ nodes: 3 });
    stops.unshift(() => cluster.stop());
    const [n8n, operator] = await Promise.all([
      installN8n().then((program) => startN8n({ program, env: cluster.egressEnv })),
      startDemoOperator(cluster),
    ]);
    stops.unshift(
      () => n8n.stop(),
      () => operator.stop(),
    );
    const account = await cluster.serviceAccount({
      namespace: PLATFORM,
      name: 'n8n',
      rules: [...rulesOf('components'), WATCH_COMPONENTS],
      clusterRules: [...rulesOf('nodes'), ...rulesOf('maintenance')],
    });
    const credential = kubeconfigCredential(cluster.server, account.kubeconfig);
    await n8n.addCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, credential);
    platform = { cluster, n8n };
  }, HOOK_TIMEOUT_MS);
  afterAll(async () => {
    for (const stop of stops) await stop();
  }, HOOK_TIMEOUT_MS);
  return () => {
    if (platform === undefined) throw new Error('the platform is there within tests and hooks only');
    return platform;
  };
}

/** What the example that waits for a component to change names beside the groups. */
const WATCH_COMPONENTS: PolicyRule = {
  apiGroups: ['platform.navin.ai'],
  resources: ['managedcomponents'],
  verbs: ['list', 'watch'],
};

/** A group of rights as docs/permissions.md has it. */
function rulesOf(group: RightsGroup): readonly PolicyRule[] {
  return rightsOfGroup(group, OPERATIONS).map((right) => ({
    apiGroups: [right.group],
    resources: [right.subresource === undefined ? right.resource : `${right.resource}/${right.subresource}`],
    verbs: [right.verb],
  }));
}

import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { type DrainLeave, planDrain } from './drainPlan';
import { readPodOnNode } from './podOnNode';

const NOTHING: DrainLeave = { unmanaged: false, emptyDirData: false };
const REPLICA_SET = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'o', controller: true };
const DAEMON_SET = { ...REPLICA_SET, kind: 'DaemonSet' };

interface Given {
  readonly owners?: readonly object[];
  readonly volumes?: readonly object[];
  readonly phase?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ending?: boolean;
}

function pod({ owners = [REPLICA_SET], volumes, phase = 'Running', annotations = {}, ending = false }: Given) {
  const object = {
    metadata: {
      uid: 'u',
      name: 'web',
      namespace: 'shop',
      annotations,
      ownerReferences: owners,
      ...(ending ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { volumes },
    status: { phase },
  };
  const read = readPodOnNode(object as unknown as KubeObject);
  if (read === undefined) throw new Error('that is a pod');
  return read;
}

const EMPTY_DIR = [{ name: 'cache', emptyDir: {} }];
const MIRROR = { 'kubernetes.io/config.mirror': 'abc' };

const CASES: readonly (readonly [string, Given, Partial<DrainLeave>, string])[] = [
  ['a pod of a ReplicaSet', {}, {}, 'evict'],
  ['a pod with other volumes', { volumes: [{ name: 'c', configMap: {} }] }, {}, 'evict'],
  ['a pod of a DaemonSet', { owners: [DAEMON_SET] }, {}, 'daemon-set'],
  ['a pod of a DaemonSet, whatever is allowed', { owners: [DAEMON_SET] }, { unmanaged: true }, 'daemon-set'],
  ['a finished pod of a DaemonSet', { owners: [DAEMON_SET], phase: 'Failed' }, {}, 'evict'],
  ["a pod of somebody else's DaemonSet", { owners: [{ ...DAEMON_SET, apiVersion: 'kruise.io/v1' }] }, {}, 'evict'],
  ['a mirror pod', { owners: [], annotations: MIRROR }, { unmanaged: true }, 'mirror'],
  ['a pod that nothing replaces', { owners: [] }, {}, 'unmanaged'],
  ['a pod whose owner is no controller', { owners: [{ ...REPLICA_SET, controller: false }] }, {}, 'unmanaged'],
  ['a pod that nothing replaces, allowed', { owners: [] }, { unmanaged: true }, 'evict'],
  ['a finished pod that nothing replaces', { owners: [], phase: 'Succeeded' }, {}, 'evict'],
  ['a pod that nothing replaces and that is ending', { owners: [], ending: true }, {}, 'evict'],
  ['a pod with data in an emptyDir', { volumes: EMPTY_DIR }, {}, 'empty-dir-data'],
  [
    'a pod with data in an emptyDir, other things allowed',
    { volumes: EMPTY_DIR },
    { unmanaged: true },
    'empty-dir-data',
  ],
  ['a pod with data in an emptyDir, allowed', { volumes: EMPTY_DIR }, { emptyDirData: true }, 'evict'],
  ['a finished pod with data in an emptyDir', { volumes: EMPTY_DIR, phase: 'Succeeded' }, {}, 'evict'],
];

describe('the plan of a drain', () => {
  it.each(CASES)('%s', (_name, given, leave, outcome) => {
    const { evict, skipped, refused } = planDrain([pod(given)], { ...NOTHING, ...leave });
    expect([
      ...evict.map(() => 'evict'),
      ...skipped.map(({ reason }) => reason),
      ...refused.map(({ reason }) => reason),
    ]).toEqual([outcome]);
  });

  it.each([
    [{}],
    [{ metadata: { name: 'web', namespace: 'shop' } }],
    [{ metadata: { uid: 1, name: 'web', namespace: 'shop' } }],
  ])('does nothing to what is no pod: %j', (object) => {
    expect(readPodOnNode({ metadata: {}, ...object } as unknown as KubeObject)).toBeUndefined();
  });

  it('reads a pod whose fields are all wrong', () => {
    const metadata = { uid: 'u', name: 'web', namespace: 'shop', ownerReferences: 'x', annotations: 1 };
    const odd = { metadata, spec: { volumes: [null, { name: 1, emptyDir: {} }] }, status: [] };
    expect(readPodOnNode(odd as unknown as KubeObject)).toMatchObject({ controller: undefined, emptyDirs: [] });
  });
});

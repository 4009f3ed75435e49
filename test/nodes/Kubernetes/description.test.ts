import { describe, expect, it } from '@jest/globals';
import { RESOURCE_DESCRIPTIONS } from '../../../nodes/Kubernetes/actions';
import { nodeOf } from '../testing/context';

const NAMES = RESOURCE_DESCRIPTIONS.flatMap(({ name: resource, operations }) =>
  operations.map(({ name }) => `${resource}: ${name}`),
);

/** What all kinds can that roll out pods. */
const WORKLOAD = [
  'Get',
  'Get Many',
  'Get Rollout History',
  'Get Rollout Status',
  'Restart',
  'Set Environment',
  'Set Image',
  'Undo Rollout',
];

describe('the description of the node', () => {
  it('has the operations users were promised', () => {
    expect([...NAMES].sort()).toEqual(
      [
        'Access: Review Rights',
        'Access: Who Am I',
        ...['Evict', 'Wait'].map((name) => `Pod: ${name}`),
        ...[
          'Get',
          'Get Many',
          'Create',
          'Apply',
          'Delete',
          'Patch',
          'Replace',
          'Diff',
          'Wait',
          'Label',
          'Annotate',
          'Get Events',
        ].map((name) => `Any Resource: ${name}`),
        ...['Get API Resources', 'Get Health', 'Get Version'].map((name) => `Cluster: ${name}`),
        ...WORKLOAD.map((name) => `DaemonSet: ${name}`),
        ...[...WORKLOAD, 'Scale', 'Pause', 'Resume'].map((name) => `Deployment: ${name}`),
        ...[...WORKLOAD, 'Scale'].map((name) => `StatefulSet: ${name}`),
        'Event: Get Many',
        ...['Create', 'Get', 'Get Many', 'Wait'].map((name) => `Job: ${name}`),
        ...['Get', 'Get Many'].map((name) => `Namespace: ${name}`),
        ...['ConfigMap', 'Secret'].flatMap((kind) =>
          ['Get', 'Get Many', 'Remove Keys', 'Set Keys'].map((name) => `${kind}: ${name}`),
        ),
        ...['Create', 'Get', 'Get Many', 'Resume', 'Run Now', 'Suspend'].map((name) => `CronJob: ${name}`),
        ...['Cordon', 'Drain', 'Get', 'Get Allocated Resources', 'Get Many', 'Get Pods', 'Taint'].map(
          (name) => `Node: ${name}`,
        ),
        ...['Uncordon', 'Untaint'].map((name) => `Node: ${name}`),
        ...['Delete', 'Download File', 'Execute Command', 'Get', 'Get Logs', 'Get Many', 'Upload File'].map(
          (name) => `Pod: ${name}`,
        ),
        ...['Service', 'Ingress', 'PersistentVolumeClaim', 'HorizontalPodAutoscaler', 'ServiceAccount'].flatMap(
          (kind) => ['Get', 'Get Many'].map((name) => `${kind}: ${name}`),
        ),
        'ServiceAccount: Create Token',
        ...['Node', 'Pod'].map((kind) => `${kind}: Get Usage`),
      ].sort(),
    );
  });

  it('starts with a list of pods', () => {
    const { resource, operation } = nodeOf({}).parameters;
    expect([resource, operation]).toEqual(['pod', 'getAll']);
  });
});

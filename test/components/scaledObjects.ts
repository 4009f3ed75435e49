import { eventually, type Cluster } from '../cluster';

/** KEDA's kind, as far as a client can tell; nobody acts on it. */
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'scaledobjects.keda.sh' },
  spec: {
    group: 'keda.sh',
    scope: 'Namespaced',
    names: { kind: 'ScaledObject', listKind: 'ScaledObjectList', plural: 'scaledobjects', singular: 'scaledobject' },
    versions: [
      {
        ...{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['scaleTargetRef', 'triggers'],
                properties: {
                  scaleTargetRef: {
                    type: 'object',
                    required: ['name'],
                    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, name: { type: 'string' } },
                  },
                  minReplicaCount: { type: 'integer', format: 'int32' },
                  maxReplicaCount: { type: 'integer', format: 'int32' },
                  triggers: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['type', 'metadata'],
                      properties: {
                        type: { type: 'string' },
                        metricType: { type: 'string' },
                        metadata: { type: 'object', additionalProperties: { type: 'string' } },
                      },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};

/** Lets a cluster serve ScaledObjects. */
export async function installScaledObjects(cluster: Cluster): Promise<void> {
  await cluster.apply(JSON.stringify(DEFINITION));
  const isServed = async (): Promise<boolean> =>
    (await cluster.request('GET', '/apis/keda.sh/v1alpha1/scaledobjects?limit=1')).status === 200;
  await eventually(isServed, 'ScaledObjects to be served');
}

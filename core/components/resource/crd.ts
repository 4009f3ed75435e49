import { COMPONENT_GROUP, COMPONENT_KIND, COMPONENT_VERSION } from '../names';
import { COMPONENT } from './component';
import { structural } from './structural';

const COLUMNS = [
  { name: 'State', type: 'string', jsonPath: '.status.state' },
  { name: 'Health', type: 'string', jsonPath: '.status.health' },
  { name: 'Operation', type: 'string', jsonPath: '.status.operationState' },
  { name: 'Converged', type: 'boolean', jsonPath: '.status.converged' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** The CustomResourceDefinition of ManagedComponent, for Kubernetes 1.29 and later. */
export function componentCrd(): object {
  const { properties, ...rest } = structural(COMPONENT) as { properties: object };
  const served = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `managedcomponents.${COMPONENT_GROUP}` },
    spec: {
      group: COMPONENT_GROUP,
      names: {
        kind: COMPONENT_KIND,
        listKind: `${COMPONENT_KIND}List`,
        plural: 'managedcomponents',
        singular: 'managedcomponent',
        shortNames: ['mc'],
      },
      scope: 'Namespaced',
      versions: [
        {
          name: COMPONENT_VERSION,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: COLUMNS,
          schema: { openAPIV3Schema: { ...rest, properties: { ...served, ...properties } } },
        },
      ],
    },
  };
}

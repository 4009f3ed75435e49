import type { ApiResource } from '../../kube';
import { COMPONENT_GROUP, COMPONENT_KIND, COMPONENT_VERSION } from '../names';

/** ManagedComponents, as the definition of crd.ts names them: no discovery is needed to ask for them. */
export const COMPONENTS: ApiResource = {
  group: COMPONENT_GROUP,
  version: COMPONENT_VERSION,
  kind: COMPONENT_KIND,
  plural: 'managedcomponents',
  singular: 'managedcomponent',
  namespaced: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  shortNames: ['mc'],
  subresources: ['status'],
};

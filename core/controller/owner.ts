import type { KubeObject, OwnerReference } from '../kube';

/** Who controls the objects it makes: the API server lets an object have one controller. */
export type Owner = Required<Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>> &
  Pick<OwnerReference, 'blockOwnerDeletion'>;

/** The reference that makes it the controller. */
export function controllerReference(owner: Owner): OwnerReference {
  return { ...owner, controller: true };
}

/** The controller of an object; undefined when it has none. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** By uid: another owner of the same name, deleted and made anew, is another owner. */
export function isControlledBy(object: KubeObject, owner: Pick<Owner, 'uid'>): boolean {
  return controllerOf(object)?.uid === owner.uid;
}

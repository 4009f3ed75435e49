import { eventually } from '../../../test/cluster';
import type { ApiResource, KubeClient, KubeObject } from '../../kube';
import { componentCrd } from '../resource/crd';

/** The name of the CustomResourceDefinition. */
export const CRD = 'managedcomponents.platform.navin.ai';

/** A CustomResourceDefinition as the API server shows it. */
export interface Definition extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Installs the definition, and waits until it is served. */
export async function installDefinition(client: KubeClient): Promise<ApiResource> {
  const definitions = await client.resource('customresourcedefinitions.apiextensions.k8s.io');
  await client.patch(definitions, { name: CRD }, { type: 'apply', body: componentCrd(), force: true });
  await eventually(async () => {
    const { status } = (await client.get(definitions, { name: CRD })) as Definition;
    return status?.conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True') ?? false;
  }, 'the definition');
  // Discovery lists it a moment later.
  let resource: ApiResource | undefined;
  await eventually(async () => {
    resource = await client.resource(CRD);
    return true;
  }, 'the definition to be listed');
  if (resource === undefined) throw new Error('The definition is not listed.');
  return resource;
}

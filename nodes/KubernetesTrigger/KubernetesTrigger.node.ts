import {
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { lazyMethods } from '../shared/lazy';
import { PROPERTIES } from './properties';

const { searchFor, navinKubernetesApiTest } = lazyMethods(() => import('./run'));

/**
 * The node "Kubernetes Trigger". n8n requires this file in every process at start, so it holds the description only; the
 * rest is required by the first call.
 */
export class KubernetesTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Kubernetes Trigger',
    name: 'kubernetesTrigger',
    icon: { light: 'file:kubernetesTrigger.svg', dark: 'file:kubernetesTrigger.dark.svg' },
    group: ['trigger'],
    version: 1,
    // n8n gives the value of a locator, not the locator.
    subtitle:
      '={{ $parameter["triggerOn"] === "resource" ? $parameter["resource"] || "resource" : $parameter["triggerOn"] }}',
    description: 'Start the workflow when something happens in a Kubernetes cluster',
    eventTriggerDescription: '',
    activationMessage: 'Changes of the cluster from now on start the workflow.',
    defaults: { name: 'Kubernetes Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'navinKubernetesApi', required: true, testedBy: 'navinKubernetesApiTest' }],
    // n8n's types are mutable, ours are not; nothing of n8n changes a description.
    properties: [...PROPERTIES] as unknown as INodeProperties[],
  };

  methods = {
    credentialTest: { navinKubernetesApiTest },
    listSearch: {
      searchNamespacesOrAll: searchFor('namespaceOrAll'),
      searchResources: searchFor('resource'),
    },
  };

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    const { trigger } = await import('./run');
    return await trigger(this);
  }
}

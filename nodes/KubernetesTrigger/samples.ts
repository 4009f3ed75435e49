import type { INodeExecutionData, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { NavinError } from '../../core/errors';
import type { KubeClient } from '../../core/kube';
import {
  checkSettings,
  type CheckedSettings,
  type PassContext,
  sampleEvents,
  sharedRegistry,
} from '../../core/trigger';
import { Connections } from '../shared/connection';
import { describeFailure, toNodeError } from '../shared/errors';
import { ownerOf } from './activate';
import { type Choices, readChoices } from './choices';
import { TriggerMemory } from './memory';
import { toSample } from './output';
import { resolveResource } from './resource';

/** One item as in production; several only where a production execution may have several. */
const ONE = 1;
const SEVERAL = 5;
/** Objects that are looked through for one that shows a condition. */
const MAX_OBJECTS = 5_000;

/**
 * What the editor's button does: takes samples from what exists now and hands them over as n8n wants them. Nothing is
 * stored, and whatever was opened is closed, because n8n does not call `closeFunction` after an error.
 */
export function sampling(context: ITriggerFunctions): ITriggerResponse {
  const stop = new AbortController();
  return {
    manualTriggerFunction: async () => {
      const connections = new Connections(context, stop.signal);
      try {
        context.emit([await takeSamples(context, connections, stop.signal)]);
      } catch (error) {
        throw toNodeError(context.getNode(), describeFailure(error));
      } finally {
        connections.close();
      }
    },
    closeFunction: async () => {
      stop.abort();
      await Promise.resolve();
    },
  };
}

async function takeSamples(
  context: ITriggerFunctions,
  connections: Connections,
  signal: AbortSignal,
): Promise<INodeExecutionData[]> {
  const choices = readChoices(context);
  const owner = ownerOf(context);
  const client = await connections.open();
  const memory = new TriggerMemory(context, owner, sharedRegistry());
  const resource = await resolveResource(client, choices.resourceName, memory);
  const settings = checkSettings(choices.settingsFor(resource, client.target.namespace));
  const now = Date.now();
  const items = await find(client, choices, { owner, settings, now, wall: now }, signal);
  if (items.length === 0) throw nothingFound(settings);
  return items;
}

async function find(
  client: KubeClient,
  { batch, simplify }: Choices,
  pass: PassContext,
  signal: AbortSignal,
): Promise<INodeExecutionData[]> {
  const { settings } = pass;
  const { resource, labelSelector, fieldSelector, condition, scopes } = settings;
  const wanted = batch ? SEVERAL : ONE;
  const options = { cluster: client.target.server, resource, simplify };
  const items: INodeExecutionData[] = [];
  for (const scope of scopes) {
    const namespace = scope === '' ? undefined : scope;
    const maxItems = condition === undefined ? wanted : MAX_OBJECTS;
    const pages = client.pages(resource, { namespace, labelSelector, fieldSelector, maxItems, signal });
    for await (const page of pages) {
      items.push(...sampleEvents(page.items, pass).map((event) => toSample(event, options)));
      if (items.length >= wanted) return items.slice(0, wanted);
    }
  }
  return items;
}

function nothingFound({ resource, scopes, condition }: CheckedSettings): NavinError {
  const name = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  const where = scopes.includes('') ? 'the cluster' : `the namespace ${scopes.map((scope) => `"${scope}"`).join(', ')}`;
  const message =
    condition === undefined
      ? `There are no ${name} in ${where} that match, so there is no sample`
      : `None of the ${name} in ${where} shows this now, so there is no sample: ${condition.rule.about}`;
  return new NavinError('k8s_not_found', message, {
    hint: 'Activate the workflow and wait for it, or pin an output as docs/trigger.md shows it.',
  });
}

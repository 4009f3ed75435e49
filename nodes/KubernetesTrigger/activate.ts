import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { findBuiltIn } from '../../core/kube';
import { checkSettings, sharedRegistry, TriggerEngine, type TriggerOwner } from '../../core/trigger';
import { Connections } from '../shared/connection';
import { toNodeError } from '../shared/errors';
import { readChoices } from './choices';
import { handoverTo } from './handover';
import { LiveCluster } from './liveCluster';
import { TriggerMemory } from './memory';
import { toItem } from './output';
import { activationFailure, Reports } from './reports';
import { resolveResource } from './resource';

/**
 * Activates the trigger. It fails only for what the user must change: n8n gives up a trigger whose activation fails while
 * n8n starts, for good. With a stored state nothing here waits for the cluster longer than some seconds.
 */
export async function activate(context: ITriggerFunctions): Promise<ITriggerResponse> {
  const stop = new AbortController();
  const connections = new Connections(context, stop.signal);
  try {
    const engine = await start(context, connections);
    return {
      closeFunction: async () => {
        const stopped = engine.stop();
        stop.abort();
        connections.close();
        await stopped;
      },
    };
  } catch (error) {
    stop.abort();
    connections.close();
    throw toNodeError(context.getNode(), activationFailure(error));
  }
}

async function start(context: ITriggerFunctions, connections: Connections): Promise<TriggerEngine> {
  const choices = readChoices(context);
  const owner = ownerOf(context);
  const memory = new TriggerMemory(context, owner, sharedRegistry());
  const client = await connections.open();
  const resource = await resolveResource(client, choices.resourceName, memory);
  const settings = checkSettings(choices.settingsFor(resource, client.target.namespace));
  const cluster = new LiveCluster(client, connections, settings, context.logger);
  const reports = new Reports(context, { workflowId: owner.workflowId, asExecutions: choices.reportFaults });
  const { intervalMs, windowSeconds, batch, simplify } = choices;
  const engine = new TriggerEngine({
    owner,
    settings,
    cluster,
    handover: handoverTo(context, memory, (event) => toItem(event, { cluster: cluster.server, resource, simplify })),
    stored: memory.state,
    intervalMs,
    windowSeconds,
    batch,
    onNote: reports.note,
    onFault: reports.fault,
    onRecovered: reports.recovered,
  });
  await engine.start();
  // What every cluster has need not be remembered.
  if (findBuiltIn(choices.resourceName) === undefined) memory.keepResource(choices.resourceName.trim(), resource);
  return engine;
}

/** Whose events they are: the id of the node survives a new name. */
export function ownerOf(context: Pick<ITriggerFunctions, 'getNode' | 'getWorkflow'>): TriggerOwner {
  return { workflowId: context.getWorkflow().id ?? '', nodeId: context.getNode().id };
}

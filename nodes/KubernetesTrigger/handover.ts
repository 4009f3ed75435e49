import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import type { HandoverPort, Outcome, TriggerEvent } from '../../core/trigger';
import type { TriggerMemory } from './memory';

type Context = Pick<ITriggerFunctions, 'emit' | 'getWorkflowSettings' | 'helpers'>;

/**
 * The hand-over to n8n: starts executions and says what came of it.
 *
 * n8n settles a promise (third argument) when an execution is over or waits, at once with nothing when its key (fourth
 * argument) was there before, and by a rejection when there is no execution or a user stopped it. An n8n before keys has
 * fewer arguments, and its engine v2 refuses an emit with a promise: there it is at-least-once.
 */
export function handoverTo(
  context: Context,
  memory: TriggerMemory,
  toItem: (event: TriggerEvent) => INodeExecutionData,
): HandoverPort {
  const promises = context.emit.length >= 3 && context.getWorkflowSettings().engineType !== 'v2';
  const keyed = promises && context.emit.length >= 4;
  const start = async (items: INodeExecutionData[], key: string): Promise<Outcome> => {
    if (!promises) {
      context.emit([items]);
      return 'created';
    }
    const settled = context.helpers.createDeferredPromise<IRun>();
    const outcome = settled.promise.then(outcomeOf, outcomeOfRejection);
    if (keyed) context.emit([items], undefined, settled, key);
    else context.emit([items], undefined, settled);
    return await outcome;
  };
  const save = async (items: INodeExecutionData[], key: string): Promise<Outcome> => {
    memory.keep();
    return await start(items, key);
  };
  return {
    keyed,
    keep: () => {
      memory.keep();
    },
    emit: async (key, events, state) => await (state === undefined ? start : save)(events.map(toItem), key),
    ...(keyed ? { checkpoint: async (key: string) => await save([], key) } : {}),
  };
}

/** n8n gives no run for an execution it dropped, whatever its types say. */
function outcomeOf(run: IRun | undefined): Outcome {
  return run === undefined ? 'duplicate' : 'created';
}

/** n8n's errors of executions that were stopped have names like ManualExecutionCancelledError. */
function outcomeOfRejection(error: unknown): Outcome {
  return error instanceof Error && `${error.name} ${error.constructor.name}`.includes('Cancelled')
    ? 'stopped'
    : 'rejected';
}

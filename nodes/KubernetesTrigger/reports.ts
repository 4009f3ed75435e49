import type { ITriggerFunctions } from 'n8n-workflow';
import type { Fault, Note } from '../../core/trigger';
import { describeFailure, type Failure, toNodeError } from '../shared/errors';

type Context = Pick<ITriggerFunctions, 'getNode' | 'logger'> & Partial<Pick<ITriggerFunctions, 'saveFailedExecution'>>;

/** Notes that somebody may have to act on; the others are told for the record. */
const WARNINGS: ReadonlySet<Note['kind']> = new Set<Note['kind']>([
  'checkpoint-ran',
  'gap',
  'handover-trouble',
  'reseeded',
  'rolled-back',
  'untracked',
]);

/**
 * Says what a running trigger has to say: notes in n8n's log; a fault that lasts there and as a failed execution, which
 * starts the error workflow. A fault that many namespaces share is recorded once.
 */
export class Reports {
  private readonly open = new Map<string, string>();

  constructor(
    private readonly context: Context,
    private readonly options: { readonly workflowId: string; readonly asExecutions: boolean },
  ) {}

  readonly note = ({ kind, message }: Note): void => {
    const { logger } = this.context;
    if (WARNINGS.has(kind)) logger.warn(this.line(message));
    else logger.info(this.line(message));
  };

  readonly fault = ({ scope, lastsMs, failures, error }: Fault): void => {
    const failure = describeFailure(error);
    const told = [...this.open.values()].includes(failure.code);
    this.open.set(scope, failure.code);
    const text = `${placeOf(scope)} for ${durationOf(lastsMs)} (${String(failures)} attempts): ${failure.error}`;
    this.context.logger.warn(this.line(text));
    if (told || !this.options.asExecutions || typeof this.context.saveFailedExecution !== 'function') return;
    const message = `The trigger is still active, but it could not watch ${text}`;
    this.context.saveFailedExecution(toNodeError(this.context.getNode(), { ...failure, error: message }));
  };

  readonly recovered = (scope: string): void => {
    this.open.delete(scope);
    this.context.logger.info(this.line(`It can watch ${placeOf(scope)} again.`));
  };

  private line(text: string): string {
    return `Kubernetes Trigger "${this.context.getNode().name}" of workflow ${this.options.workflowId}: ${text}`;
  }
}

/** The failure of an activation: n8n shows its message only, so the way out must be in it. */
export function activationFailure(error: unknown): Failure {
  const failure = describeFailure(error);
  if (failure.description === undefined) return failure;
  return { ...failure, error: `${failure.error.replace(/\.$/, '')}. ${failure.description.trim()}` };
}

function placeOf(scope: string): string {
  const namespace = /^scope:(.+)$/.exec(scope)?.[1];
  return namespace === undefined ? 'the cluster' : `the namespace ${namespace}`;
}

function durationOf(ms: number): string {
  return ms < 60_000 ? `${String(Math.round(ms / 1_000))} s` : `${String(Math.round(ms / 60_000))} min`;
}

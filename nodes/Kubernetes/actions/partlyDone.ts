import { type JsonValue, NavinError } from '../../../core/errors';
import { KubeApiError } from '../../../core/kube';
import type { Attempt } from '../../shared/attempt';
import type { ManifestObject } from '../../shared/manifest';

/** What came of one object. */
export type Outcome<R> = Attempt<R>;

/** An object as a sentence names it. */
type Named = Pick<ManifestObject, 'kind' | 'metadata'>;

interface Entry {
  readonly object: Named;
  /** Absent: it was not tried. */
  readonly outcome: Outcome<unknown> | undefined;
}

/**
 * Of several objects some failed. The code is that of the first failure; `details` says of each object whether it was
 * done, failed (why), or not tried.
 */
export class PartlyDone extends NavinError {
  /** The answer of the API server to the first that failed, where it answered. */
  readonly httpStatus: number | undefined;

  constructor(entries: readonly Entry[]) {
    const failed = entries.flatMap(({ object, outcome }) => (outcome?.error ? [{ object, error: outcome.error }] : []));
    const [first] = failed;
    const done = entries.filter(({ outcome }) => outcome !== undefined && outcome.error === undefined);
    const untried = entries.filter(({ outcome }) => outcome === undefined);
    const counts = [
      `${String(failed.length)} of ${String(entries.length)} objects failed`,
      `${String(done.length)} done`,
      ...(untried.length === 0 ? [] : [`${String(untried.length)} not tried`]),
    ].join(', ');
    const why = first === undefined ? '' : `. ${nameOf(first.object)}: ${first.error.message}`;
    super(first?.error.code ?? 'k8s_internal', `${counts}${why}`, {
      ...(first?.error.hint === undefined ? {} : { hint: first.error.hint }),
      details: {
        done: done.map(({ object }) => nameOf(object)),
        failed: failed.map(({ object, error }) => failureOf(object, error)),
        notTried: untried.map(({ object }) => nameOf(object)),
      },
      cause: first?.error,
    });
    this.httpStatus = first?.error instanceof KubeApiError ? first.error.httpStatus : undefined;
  }
}

function failureOf(object: Named, { code, message, details }: NavinError): JsonValue {
  const { conflicts } = details;
  return { object: nameOf(object), code, message, ...(conflicts === undefined ? {} : { conflicts }) };
}

/** `ConfigMap shop/colors` */
function nameOf({ kind, metadata }: Named): string {
  const name = metadata.name ?? `${metadata.generateName ?? ''}…`;
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${name}`;
}

/**
 * What came of objects that were found, each by itself, in their order.
 * @throws what happened to the one there was; PartlyDone when some of several failed
 */
export function resultsOfEach<R>(found: readonly Named[], outcomes: readonly Outcome<R>[]): readonly R[] {
  const failure = outcomes.find(({ error }) => error !== undefined)?.error;
  if (failure === undefined) return outcomes.flatMap((outcome) => (outcome.error === undefined ? [outcome.value] : []));
  if (found.length === 1) throw failure;
  throw new PartlyDone(found.map((object, index) => ({ object, outcome: outcomes[index] })));
}

/** An item as a node gave it out. */
export interface Item {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary?: Readonly<Record<string, { readonly fileName?: string; readonly mimeType?: string }>>;
  readonly pairedItem?: unknown;
}

/** How an execution of a workflow went. */
export interface Execution {
  readonly id: string;
  /** `success`, `error`, … */
  readonly status: string;
  /** What n8n shows when the whole execution failed. */
  readonly error?: ExecutionError;
  /** Nodes that ran, in order of their first run. */
  readonly nodes: readonly string[];
  /** Everything of the execution as n8n stored it, for the search for secrets. */
  readonly stored: string;
  /** What a node gave out: items by output, of its last run. */
  readonly outputs: (node: string) => readonly (readonly Item[])[];
  /** What a node gave out at its first output. */
  readonly items: (node: string) => readonly Item[];
  /** The error that a node ended with, also when the workflow went on. */
  readonly errorOf: (node: string) => ExecutionError | undefined;
}

/** An error as n8n stores it. */
export interface ExecutionError {
  readonly message: string;
  readonly description?: string;
  readonly name?: string;
  readonly httpCode?: string;
  readonly node?: { readonly name: string };
  readonly [key: string]: unknown;
}

interface RunData {
  readonly data?: { readonly main?: readonly (readonly Item[] | null)[] };
  readonly error?: ExecutionError;
}

interface StoredData {
  readonly resultData: {
    readonly runData?: Readonly<Record<string, readonly RunData[]>>;
    readonly error?: ExecutionError;
  };
}

/** Reads an execution as n8n's REST API gives it. */
export function readExecution(answer: unknown): Execution {
  const { id, status, data } = answer as { id: string; status: string; data: string };
  const { resultData } = unflatten(data) as StoredData;
  const runData = resultData.runData ?? {};
  const lastRun = (node: string): RunData | undefined => runData[node]?.at(-1);
  const outputs = (node: string): readonly (readonly Item[])[] =>
    (lastRun(node)?.data?.main ?? []).map((items) => items ?? []);
  return {
    id,
    status,
    ...(resultData.error === undefined ? {} : { error: resultData.error }),
    nodes: Object.keys(runData),
    stored: data,
    outputs,
    items: (node) => outputs(node)[0] ?? [],
    errorOf: (node) => lastRun(node)?.error,
  };
}

/**
 * Undoes the `flatted` format that n8n stores executions in: a JSON array whose strings are positions in it, the value
 * at position 0 being the root.
 */
export function unflatten(text: string): unknown {
  const table = JSON.parse(text) as unknown[];
  const done = new Map<number, unknown>();
  const valueAt = (position: number): unknown => {
    if (done.has(position)) return done.get(position);
    const raw = table[position];
    if (typeof raw !== 'object' || raw === null) return raw;
    const copy: unknown[] | Record<string, unknown> = Array.isArray(raw) ? [] : {};
    done.set(position, copy);
    for (const [key, value] of Object.entries(raw)) {
      (copy as Record<string, unknown>)[key] = typeof value === 'string' ? valueAt(Number(value)) : value;
    }
    return copy;
  };
  return valueAt(0);
}

import { isKubeObject, isRecord } from '../../../core/kube';
import { ChartError, shownName, type ChartFiles } from '../charts';

/**
 * Functions of templates that may give something else each time: random numbers, times, maps in the order of a moment. A
 * word too much costs a second rendering; a field of the same name (`.keys`) is none of them.
 */
const UNSTEADY =
  /(?<![.\w])(?:rand\w*|shuffle|uuidv4|gen[A-Z]\w*|htpasswd|bcrypt|encryptAES|now|ago|date\w*|htmlDate\w*|unixEpoch|keys|values|lookup)\b/;
/** A time in seconds does not go by zones: a second must go by. */
const SECONDS = /(?<![.\w])(?:unixEpoch|ago|date_?[iI]n_?[zZ]one)\b|\.Unix/;
/** Functions are called in here only, also by `tpl`, whatever file or value it takes its template from. */
const ACTIONS = /\{\{.*?\}\}/gs;

/** How a chart has to be rendered a second time, to see whether it renders the same. */
export interface Doubt {
  /** Whether some function of the chart may give something else. */
  readonly unsteady: boolean;
  /** Whether the second rendering has to wait for the next second. */
  readonly bySeconds: boolean;
}

const ofCharts = new WeakMap<ChartFiles, Doubt>();

/** @param values as helm reads them: they may hold templates, too */
export function doubtOf(files: ChartFiles, values: string): Doubt {
  const ofChart = ofCharts.get(files) ?? doubtOfTexts([...files.values()].map((bytes) => bytes.toString('utf8')));
  ofCharts.set(files, ofChart);
  const ofValues = doubtOfTexts([values]);
  return {
    unsteady: ofChart.unsteady || ofValues.unsteady,
    bySeconds: ofChart.bySeconds || ofValues.bySeconds,
  };
}

function doubtOfTexts(texts: readonly string[]): Doubt {
  const actions = texts.flatMap((text) => text.match(ACTIONS) ?? []).join('\n');
  return { unsteady: UNSTEADY.test(actions), bySeconds: SECONDS.test(actions) };
}

/**
 * Compares what a chart rendered at first with what it rendered a moment later.
 *
 * @throws ChartError NondeterministicChart, with the object and the path
 */
export function requireSame(first: readonly unknown[], second: readonly unknown[]): void {
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    const path = difference(first[index], second[index], '');
    if (path === undefined) continue;
    const object = nameOf(first[index]) ?? nameOf(second[index]) ?? `document ${index + 1}`;
    const place = path === '' ? object : `${path} of ${object}`;
    throw new ChartError(
      'NondeterministicChart',
      `The chart renders something else each time at ${place}: each look would change it. Set the value that fixes it.`,
    );
  }
}

function nameOf(document: unknown): string | undefined {
  if (!isKubeObject(document)) return undefined;
  return `${shownName(String(document.kind))}/${shownName(document.metadata.name ?? '?')}`;
}

/** Where two values differ first; undefined: they are equal. */
function difference(left: unknown, right: unknown, path: string): string | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return path;
    return firstOf(left.keys(), (index) => difference(left[index], right[index], `${path}[${index}]`));
  }
  if (isRecord(left) && isRecord(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return firstOf(names, (name) => {
      const below = path === '' ? shownName(name) : `${path}.${shownName(name)}`;
      return difference(left[name], right[name], below);
    });
  }
  return left === right ? undefined : path;
}

function firstOf<T>(all: Iterable<T>, find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

import { isRecord } from './kubeObject';

/**
 * What may be shown of a text the API server wrote. The rule:
 *
 * 1. Requests that concern Secrets: nothing, ever.
 * 2. Text bodies and HTML: nothing, ever. Only the `message` of a Status and of its causes is considered.
 * 3. Of those, no string we sent may come back: every value of the request's body (4 characters and more) and the
 *    credential are replaced by `…`, also where they are escaped. Names, namespaces and kinds stay: they say which object.
 * 4. Values that the API server prints by its grammar of field errors (`Invalid value: "…": what is wrong`) are taken out,
 *    because it also echoes values it holds itself; where such a value has no clear end, the rest of the text goes.
 * 5. What is left is one line without control, format and direction characters, cut to a bound.
 */
export interface Disclosure {
  /** Nothing may be shown (rule 1). */
  readonly silent: boolean;
  /** Values that may not come back (rule 3). Called only when there is something to show. */
  readonly concealed: () => readonly string[];
}

/** For requests that send nothing. */
export const NOTHING_SENT: Disclosure = { silent: false, concealed: () => [] };

const MAX_TEXT = 300;
/** Longer texts are not looked at: cleaning them costs more than they are worth. */
const MAX_INPUT = 65_536;
const MIN_CONCEALED = 4;
const MAX_CONCEALED = 20_000;

/** A text of the API server as it may be shown, or undefined when nothing of it may. */
export function serverText(text: unknown, disclosure: Disclosure, maxLength = MAX_TEXT): string | undefined {
  if (disclosure.silent || typeof text !== 'string' || text.length > MAX_INPUT) return undefined;
  const needles = disclosure.concealed().flatMap(variants);
  if (needles.length > MAX_CONCEALED) return undefined;
  let shown = withoutPrintedValues(text);
  for (const needle of [...new Set(needles)].sort((a, b) => b.length - a.length)) {
    if (shown.includes(needle)) shown = shown.replaceAll(needle, '…');
  }
  return oneLine(shown, maxLength);
}

/** One line of at most `maxLength` characters without control, format and direction characters; undefined when empty. */
export function oneLine(text: string, maxLength: number): string | undefined {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`;
}

/** The forms in which a value may come back: as it is, escaped as Go and JSON do, and each of its lines. */
function variants(value: string): string[] {
  const forms = [value, JSON.stringify(value).slice(1, -1)];
  if (value.includes('\n')) forms.push(...value.split('\n').map((line) => line.trim()));
  return forms.filter((form) => form.length >= MIN_CONCEALED);
}

/** Keys whose values name an object or a type and may be shown. */
const NAMING_KEYS = new Set(['apiVersion', 'kind', 'name', 'namespace', 'generateName']);

/** All values of a request's body that may not come back. JSON patches are bodies too: their `path` and `op` may. */
export function concealedValues(body: unknown): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, key: string): void => {
    if (found.length > MAX_CONCEALED) return;
    if (typeof value === 'string') {
      if (!NAMING_KEYS.has(key)) found.push(value);
    } else if (Array.isArray(value)) {
      for (const entry of value) visit(entry, '');
    } else if (isRecord(value)) {
      const jsonPatch = typeof value.op === 'string' && typeof value.path === 'string';
      for (const [name, entry] of Object.entries(value)) {
        if (!(jsonPatch && (name === 'op' || name === 'path' || name === 'from'))) visit(entry, name);
      }
    }
  };
  visit(body, '');
  return found;
}

/** Types of field errors that print no value, by apimachinery `field.Error.ErrorBody`. */
const WITHOUT_VALUE = /^(?:Required value|Forbidden|Too long|Too short|Internal error)(?:: ([\s\S]*))?$/;
const WITH_VALUE = /^(?:Invalid value|Unsupported value|Duplicate value|Not found|Too many|Too few): /;

/**
 * What a message about a field says after the value (rule 4): `Invalid value: "x": must be positive` gives
 * `must be positive`. Undefined when it says no more, or when its form is not known.
 */
export function withoutValue(message: string): string | undefined {
  const plain = WITHOUT_VALUE.exec(message);
  if (plain) return plain[1];
  const prefix = WITH_VALUE.exec(message);
  if (!prefix) return undefined;
  const end = endOfValue(message, prefix[0].length);
  return end !== undefined && message.startsWith(': ', end) ? message.slice(end + 2) : undefined;
}

/** A text without the values that field errors print in it. */
function withoutPrintedValues(text: string): string {
  const phrase = /\b(?:Invalid value|Unsupported value|Duplicate value): /g;
  let kept = '';
  let from = 0;
  for (let found = phrase.exec(text); found; found = phrase.exec(text)) {
    kept += text.slice(from, found.index + found[0].length - 2);
    const end = endOfValue(text, phrase.lastIndex);
    if (end === undefined) return kept;
    from = end;
    phrase.lastIndex = end;
  }
  return kept + text.slice(from);
}

/** Where the printed value that starts at `start` ends: a quoted string, JSON, a number or a boolean. */
function endOfValue(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfJson(text, start);
  const scalar = /^(?:[-+]?[\d.][\w.+-]*|true|false|null)(?=: |$)/.exec(text.slice(start));
  return scalar ? start + scalar[0].length : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

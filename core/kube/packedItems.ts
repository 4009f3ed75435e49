import { parseJson } from './json';
import type { KubeObject } from './kubeObject';
import { dropManagedFields } from './managedFields';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const KEY = Buffer.from('"items"');

/**
 * The items of a page, still text. Each becomes an object when it is its turn and is garbage right after, so that going
 * through a page of any size costs the heap one object: what lives longer is what makes V8 enlarge the heap for new
 * objects, and it does not give that back.
 */
export class PackedItems implements Iterable<KubeObject> {
  constructor(
    private readonly json: Buffer,
    /** Where each begins and ends, one after the other: an object for each would outlive them all. */
    private readonly ends: readonly number[],
    private readonly keepManagedFields: boolean,
    /** Gives the memory of the text back; nothing can be read afterwards. */
    readonly release: () => void,
  ) {}

  get length(): number {
    return this.ends.length / 2;
  }

  /** The first of them. They share the text. */
  slice(start: number, end: number): PackedItems {
    return new PackedItems(this.json, this.ends.slice(2 * start, 2 * end), this.keepManagedFields, this.release);
  }

  /** @throws NavinError `k8s_response_invalid` when an item is not JSON */
  *[Symbol.iterator](): Generator<KubeObject, void, undefined> {
    for (let at = 0; at < this.ends.length; at += 2) {
      const item = parseJson(this.json.toString('utf8', this.ends[at], this.ends[at + 1])) as KubeObject;
      if (!this.keepManagedFields) dropManagedFields([item]);
      yield item;
    }
  }
}

/** A list whose items were not parsed. */
export interface PackedList {
  /** The list with no items in it. */
  readonly envelope: unknown;
  /** Where each item begins and ends, one after the other. */
  readonly ends: readonly number[];
}

/**
 * Finds the items in the text of a list. What else is in it is parsed; of the items only the ends are looked for, each is
 * checked when it is parsed.
 *
 * @returns undefined when the text is no list
 * @throws NavinError `k8s_response_invalid` when the rest of the text is not JSON
 */
export function unpackList(json: Buffer): PackedList | undefined {
  const open = startOfItems(json);
  if (open === undefined) return undefined;
  const ends: number[] = [];
  let at = afterSpace(json, open + 1);
  while (json[at] !== CLOSE_BRACKET) {
    const end = endOfValue(json, at);
    const next = end === undefined ? undefined : afterSpace(json, end);
    if (end === undefined || next === undefined || end === at) return undefined;
    ends.push(at, end);
    if (json[next] === CLOSE_BRACKET) {
      at = next;
    } else {
      if (json[next] !== COMMA) return undefined;
      at = afterSpace(json, next + 1);
      // Nothing may follow the last comma.
      if (json[at] === CLOSE_BRACKET) return undefined;
    }
  }
  const envelope = parseJson(json.toString('utf8', 0, open + 1) + json.toString('utf8', at));
  return { envelope, ends };
}

/** The bracket that opens the items of a list. */
function startOfItems(json: Buffer): number | undefined {
  let at = afterSpace(json, 0);
  if (json[at] !== OPEN_BRACE) return undefined;
  while (json[at] === OPEN_BRACE || json[at] === COMMA) {
    const key = afterSpace(json, at + 1);
    const end = endOfValue(json, key);
    if (end === undefined || json[key] !== QUOTE) return undefined;
    const colon = afterSpace(json, end);
    if (json[colon] !== COLON) return undefined;
    const value = afterSpace(json, colon + 1);
    if (json[value] === OPEN_BRACKET && KEY.equals(json.subarray(key, end))) return value;
    const last = endOfValue(json, value);
    if (last === undefined) return undefined;
    at = afterSpace(json, last);
  }
  return undefined;
}

/** Where the value ends that begins here. Exact for valid JSON; undefined when it does not end. */
function endOfValue(json: Buffer, start: number): number | undefined {
  const first = json[start];
  if (first === QUOTE) return endOfString(json, start + 1);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return endOfWord(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at + 1);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Where a string ends of which the first quotation mark was read. */
function endOfString(json: Buffer, start: number): number | undefined {
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at + 1;
  }
  return undefined;
}

/** Where a number, true, false or null ends. */
function endOfWord(json: Buffer, start: number): number | undefined {
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) return at;
  }
  return undefined;
}

function afterSpace(json: Buffer, start: number): number {
  let at = start;
  while (isSpace(json[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

import {
  boolJsonTag,
  EVENT_ID,
  type Event,
  floatJsonTag,
  getScalarValue,
  intJsonTag,
  NOT_RESOLVED,
  nullJsonTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { KubeconfigError } from './errors';
import { hasBadCharacter, lineAt } from './text';

/** A value of the document and the line it (or its key) stands in. Mappings are Maps: `__proto__` is a key like any other. */
export type YamlNode = { readonly line: number } & (
  | { readonly kind: 'mapping'; readonly entries: ReadonlyMap<string, YamlNode> }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
);

/** Levels of mappings and lists; a kubeconfig has 4, extensions of tools a few more. */
const MAX_DEPTH = 20;
const MAX_NODES = 20_000;
/** What can begin a value, counted before parsing: it bounds the time and memory of the parser. */
const VALUE_START = /[,:?[{\n]|- /g;
const MAX_VALUE_STARTS = 3 * MAX_NODES;
/** js-yaml also counts the values inside the deepest collection; the margin leaves the verdict to this file. */
const PARSER_DEPTH = MAX_DEPTH + 4;

/** The JSON schema of YAML 1.2: `yes`, `on`, `True`, `0x1f` and `~` are text. */
const PLAIN_TAGS = [nullJsonTag, boolJsonTag, intJsonTag, floatJsonTag] as const;

interface Frame {
  readonly node: YamlNode & { kind: 'mapping' | 'list' };
  key: string | undefined;
  readonly add: (child: YamlNode) => void;
}

/**
 * Parses one YAML or JSON document, strictly and once: no anchors, aliases, tags, directives, merge keys or duplicate
 * keys. `undefined` when the text holds no document.
 * @throws KubeconfigError `yaml-syntax`, `yaml-features`, `one-document`, `duplicate-key`, `too-deep`, `too-many`, `characters`
 */
export function parseDocument(text: string): YamlNode | undefined {
  const events = parse(text);
  const lines = new LineCounter(text);
  let documents = 0;
  let nodes = 0;
  let root: YamlNode | undefined;
  const frames: (Frame | undefined)[] = [];

  const place = (node: YamlNode): void => {
    if (++nodes > MAX_NODES) throw new KubeconfigError('too-many', 'The kubeconfig has more than 20,000 values');
    const frame = frames.at(-1);
    if (frame === undefined) root = node;
    else frame.add(node);
  };

  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++documents > 1) throw new KubeconfigError('one-document', 'The text holds more than one YAML document');
        if (event.directives.length > 0) throw feature('a directive (%YAML or %TAG)', 1);
        frames.push(undefined);
        break;
      case EVENT_ID.ALIAS:
        throw feature('an alias', lines.at(event.anchorStart));
      case EVENT_ID.SCALAR: {
        const line = lines.at(event.valueStart);
        refuseProperties(event, line);
        place({ kind: 'scalar', line, value: readScalar(text, event, line) });
        break;
      }
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE: {
        const line = lines.at(event.start);
        refuseProperties(event, line);
        // The document itself has a frame, so `frames.length` is the level of this collection.
        if (frames.length > MAX_DEPTH) throw new KubeconfigError('too-deep', 'The kubeconfig is nested too deeply');
        if (frames.at(-1)?.node.kind === 'mapping' && frames.at(-1)?.key === undefined) throw complexKey(line);
        const frame = event.type === EVENT_ID.MAPPING ? mappingFrame(line) : listFrame(line);
        place(frame.node);
        frames.push(frame);
        break;
      }
      case EVENT_ID.POP:
        frames.pop();
        break;
    }
  }
  return root;
}

function parse(text: string): Event[] {
  const starts = text.match(VALUE_START)?.length ?? 0;
  if (starts > MAX_VALUE_STARTS) throw new KubeconfigError('too-many', 'The kubeconfig has more than 20,000 values');
  try {
    return parseEvents(text, { maxDepth: PARSER_DEPTH });
  } catch (error) {
    // Message, mark and snippet of a YAMLException hold the source text: only the line goes on.
    if (!(error instanceof YAMLException)) throw new KubeconfigError('yaml-syntax', 'The text cannot be parsed');
    if (error.reason.startsWith('nesting exceeded')) {
      throw new KubeconfigError('too-deep', 'The kubeconfig is nested too deeply');
    }
    const line = error.mark === undefined ? undefined : error.mark.line + 1;
    throw new KubeconfigError('yaml-syntax', 'is neither valid YAML nor JSON', {
      place: { path: 'The kubeconfig', line },
    });
  }
}

function mappingFrame(line: number): Frame {
  const entries = new Map<string, YamlNode>();
  let keyLine = line;
  const frame: Frame = {
    node: { kind: 'mapping', line, entries },
    key: undefined,
    add: (child) => {
      if (frame.key !== undefined) {
        entries.set(frame.key, { ...child, line: keyLine });
        frame.key = undefined;
        return;
      }
      if (child.kind !== 'scalar') throw complexKey(child.line);
      const key = String(child.value);
      if (key === '<<') throw feature('a merge key (<<)', child.line);
      if (entries.has(key)) {
        throw new KubeconfigError('duplicate-key', 'has a key that is in its mapping already', {
          place: { path: 'The kubeconfig', line: child.line },
        });
      }
      frame.key = key;
      keyLine = child.line;
    },
  };
  return frame;
}

function listFrame(line: number): Frame {
  const items: YamlNode[] = [];
  return { node: { kind: 'list', line, items }, key: undefined, add: (child) => void items.push(child) };
}

function readScalar(text: string, event: ScalarEvent, line: number): string | number | boolean | null {
  // A value left empty is null, as Kubernetes reads it.
  if (event.valueStart === -1) return null;
  const value = getScalarValue(text, event);
  if (hasBadCharacter(value)) {
    throw new KubeconfigError('characters', 'has a control character or half a character, written as an escape', {
      place: { path: 'The kubeconfig', line },
    });
  }
  if (event.style !== SCALAR_STYLE.PLAIN) return value;
  for (const tag of PLAIN_TAGS) {
    const resolved = tag.resolve(value, false, tag.tagName);
    if (resolved !== NOT_RESOLVED) return resolved;
  }
  return value;
}

function refuseProperties(event: { readonly anchorStart: number; readonly tagStart: number }, line: number): void {
  if (event.anchorStart !== -1) throw feature('an anchor', line);
  if (event.tagStart !== -1) throw feature('a tag', line);
}

function complexKey(line: number): KubeconfigError {
  return feature('a key that is a mapping or a list', line);
}

function feature(what: string, line: number): KubeconfigError {
  return new KubeconfigError('yaml-features', `has ${what}`, { place: { path: 'The kubeconfig', line } });
}

/** Lines of ascending offsets in one walk; an absent offset (-1) has the line of the one before. */
class LineCounter {
  private line = 1;
  private offset = 0;

  constructor(private readonly text: string) {}

  at(offset: number): number {
    if (offset > this.offset) {
      this.line += lineAt(this.text.slice(this.offset, offset), Infinity) - 1;
      this.offset = offset;
    }
    return this.line;
  }
}

import {
  defineScalarTag,
  FAILSAFE_SCHEMA,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  type Schema,
  YAMLException,
} from 'js-yaml';
import { ManifestError } from './error';

/** The most values a manifest may hold, each use of an alias counted. */
const MAX_VALUES = 50_000;
const MAX_ALIASES = 100;

/**
 * Reads the YAML or JSON documents of a manifest by the rules kubectl reads them by (YAML 1.1 without times and base 60),
 * so that `yes` and `0644` mean here what they mean there. Empty documents are left out.
 *
 * @throws ManifestError with the line; the text itself is not repeated
 */
export function readManifest(text: string): readonly unknown[] {
  const documents = parse(text).filter((document) => document !== null);
  if (!documents.every((document) => isWithin(document, MAX_VALUES))) {
    throw new ManifestError(`holds more than ${MAX_VALUES} values, or refers to itself`);
  }
  return documents;
}

function parse(text: string): readonly unknown[] {
  try {
    return loadAll(text, { schema: kubernetesSchema(), maxAliases: MAX_ALIASES });
  } catch (error) {
    throw new ManifestError(`is not valid YAML or JSON${placeOf(error)}`);
  }
}

function placeOf(error: unknown): string {
  if (!(error instanceof YAMLException)) return '';
  const line = error.mark?.line;
  // Reasons may quote the text; what stands before a quote is ours to show.
  const reason = /^[\w\s,()-]*/.exec(error.reason)?.[0].trim() ?? '';
  return `${line === undefined ? '' : `, line ${line + 1}`}${reason === '' ? '' : `: ${reason}`}`;
}

function isWithin(value: unknown, budget: number): boolean {
  const waiting = [value];
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count >= budget) return false;
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null)
      for (const child of Object.values(next) as unknown[]) waiting.push(child);
  }
  return true;
}

let schema: Schema | undefined;

/** Made at first use, because requiring this file must do nothing. */
function kubernetesSchema(): Schema {
  schema ??= FAILSAFE_SCHEMA.withTags(
    nullYaml11Tag,
    defineScalarTag('tag:yaml.org,2002:bool', {
      implicit: true,
      resolve: (source) => (TRUE.test(source) ? true : FALSE.test(source) ? false : NOT_RESOLVED),
      identify: (value) => typeof value === 'boolean',
    }),
    defineScalarTag('tag:yaml.org,2002:int', {
      implicit: true,
      resolve: (source) => numberOf(source, Number.isInteger) ?? NOT_RESOLVED,
      identify: (value) => Number.isInteger(value),
    }),
    defineScalarTag('tag:yaml.org,2002:float', {
      implicit: true,
      resolve: (source) => numberOf(source, Number.isFinite) ?? NOT_RESOLVED,
      identify: (value) => typeof value === 'number',
    }),
    mergeTag,
  );
  return schema;
}

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const INTEGER = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * A number as go-yaml reads it: underscores anywhere but at the beginning, a leading 0 is octal, and what no octal number
 * can be (`08`) is a decimal one. Whole numbers that Kubernetes reads exactly and JavaScript cannot stay text.
 */
function numberOf(source: string, accepts: (value: number) => boolean): number | undefined {
  const plain = /^[-+\d]/.test(source) ? source.replaceAll('_', '') : source;
  const whole = INTEGER.exec(plain);
  if (whole !== null) {
    const exact = BigInt((whole[2] ?? '').replace(/^0(?=[0-7])/, '0o')) * (whole[1] === '-' ? -1n : 1n);
    if (Number.isSafeInteger(Number(exact))) return accepted(Number(exact), accepts);
    if (exact >= INT64_MIN && exact <= UINT64_MAX) return undefined;
  }
  return FLOAT.test(plain) ? accepted(Number(plain), accepts) : undefined;
}

function accepted(value: number, accepts: (value: number) => boolean): number | undefined {
  return accepts(value) ? value : undefined;
}

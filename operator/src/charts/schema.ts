import { renderFailed, shownName } from './error';
import type { ChartFiles } from './files';

const SCHEMA = /(?:^|\/)values\.schema\.json$/;
/** A reference to another place of the same document is all a schema needs. */
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** The drafts that helm has built in. */
const BUILT_IN = /^https?:\/\/json-schema\.org\/(?:schema|draft-0[467]\/schema|draft\/20(?:19-09|20-12)\/schema)#?$/;

/**
 * Refuses schemas of values that refer to something outside: helm would fetch it, from inside the cluster, and wait for
 * it 15 seconds.
 *
 * @throws ChartError
 */
export function checkSchemas(files: ChartFiles): void {
  for (const [path, bytes] of files) {
    if (!SCHEMA.test(path)) continue;
    if (refersOutside(parse(path, bytes))) {
      throw renderFailed(`${shownName(path)} refers to another document by $ref, which is not allowed.`);
    }
  }
}

function parse(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw renderFailed(`${shownName(path)} of the chart is not JSON.`);
  }
}

/** Whether a reference leads outside, wherever it stands; `$schema` is one, too. */
function refersOutside(schema: unknown): boolean {
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next) as [string, unknown][]) {
      if (REFERENCES.has(key) && typeof value === 'string' && !value.startsWith('#')) return true;
      if (key === '$schema' && typeof value === 'string' && !BUILT_IN.test(value)) return true;
      waiting.push(value);
    }
  }
  return false;
}

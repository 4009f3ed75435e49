/** What a registry demands with a 401 (RFC 7235, and docker's token scheme). */
export interface Challenge {
  readonly scheme: 'basic' | 'bearer';
  /** For instance realm, service and scope. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_LENGTH = 4_096;

/** Reads a WWW-Authenticate header with one challenge; undefined: none that is known. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const [, scheme, rest] = /^\s*(basic|bearer)\b(.*)$/is.exec((header ?? '').slice(0, MAX_LENGTH)) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const pairs = rest.matchAll(/([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s",]+))/gi);
  const parameters = new Map(
    [...pairs].map(([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare ?? '']),
  );
  return { scheme: scheme.toLowerCase() === 'basic' ? 'basic' : 'bearer', parameters };
}

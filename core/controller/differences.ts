import { isRecord } from '../kube';

const MAX_PATHS = 10;

/**
 * Where an object wants something else than what is there, as paths like `spec.volumeClaimTemplates[0].metadata.name`.
 * Fields that it does not name are not compared: the API server fills them in. The values are not shown.
 */
export function differingPaths(wanted: unknown, live: unknown, under = ''): readonly string[] {
  const found: string[] = [];
  collect(wanted, live, under, found);
  return found;
}

/** What an object has at a path like `spec.clusterIPs[0]`; undefined when there is nothing. */
export function valueAt(object: unknown, path: string): unknown {
  let at = object;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (name !== undefined) at = isRecord(at) ? at[name] : undefined;
    else at = Array.isArray(at) ? at[Number(index)] : undefined;
  }
  return at;
}

function collect(wanted: unknown, live: unknown, path: string, found: string[]): void {
  if (found.length >= MAX_PATHS) return;
  if (Array.isArray(wanted)) {
    if (!Array.isArray(live) || live.length !== wanted.length) found.push(path);
    else
      wanted.forEach((entry, index) => {
        collect(entry, live[index], `${path}[${index}]`, found);
      });
  } else if (isRecord(wanted)) {
    if (!isRecord(live)) found.push(path);
    else
      for (const [name, value] of Object.entries(wanted))
        collect(value, live[name], path === '' ? name : `${path}.${name}`, found);
  } else if (wanted !== live) found.push(path);
}

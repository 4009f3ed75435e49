import { dump } from 'js-yaml';

/** An object to apply, and what people are told about it. */
export interface Manifest {
  readonly object: object;
  /** Remarks by the line (without its indentation) that they stand above. */
  readonly remarks?: Readonly<Record<string, string>>;
}

/**
 * Objects as YAML for people: a head, and remarks where somebody has to decide something.
 *
 * @throws Error when a line that a remark is about is missing or there twice, so that no remark gets lost
 */
export function yamlOf(head: string, manifests: readonly Manifest[]): string {
  return [comment(head), ...manifests.map(documentOf)].join('\n---\n');
}

function documentOf({ object, remarks = {} }: Manifest): string {
  const lines = dump(object, { lineWidth: -1, noRefs: true }).trimEnd().split('\n');
  for (const [line, remark] of Object.entries(remarks)) {
    const [at, another] = lines.flatMap((text, index) => (text.trim() === line ? [index] : []));
    if (at === undefined || another !== undefined) throw new Error(`not exactly one line to remark upon: ${line}`);
    const indent = ' '.repeat((lines[at]?.length ?? 0) - line.length);
    lines[at] = `${comment(remark, indent)}\n${lines[at] ?? ''}`;
  }
  return lines.join('\n');
}

function comment(text: string, indent = ''): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `${indent}# ${line}`.trimEnd())
    .join('\n');
}

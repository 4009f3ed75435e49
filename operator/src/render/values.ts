/** Allowed in JSON and not in the YAML that helm reads it as. */
const UNREADABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Values as the file that helm reads: JSON with sorted keys, so that it is the same for the same values.
 *
 * The line end matters: helm 4 loses all values of a file without one whose length is a multiple of 4096 (helm#32506).
 */
export function valuesFile(values: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(sorted(values));
  const escaped = text.replace(UNREADABLE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${escaped}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}

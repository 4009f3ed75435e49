import { KubeconfigError } from './errors';

/** The largest kubeconfig, in bytes of UTF-8. Real ones stay below 64 KiB. */
export const MAX_BYTES = 256 * 1024;

/**
 * Controls (tabs, NUL, lone carriage returns …), lone surrogates, what decoders put for broken UTF-8, and line breaks
 * that only YAML 1.1 knows: no kubeconfig needs them, and parsers read them differently.
 */
const BAD_CHARACTER = /(?!\r?\n)\p{Cc}|[\p{Cs}\u2028\u2029\ufeff\ufffd-\uffff]/u;

/** The same in a decoded value, where tabs and carriage returns can only come from escapes and harm nothing. */
const BAD_DECODED_CHARACTER = /(?![\t\r\n])\p{Cc}|[\p{Cs}\u2028\u2029]/u;

/**
 * Checks a kubeconfig as text before anything parses it, and strips a byte order mark.
 * @throws KubeconfigError `wrong-type`, `too-large`, `characters`, `line-breaks-lost`
 */
export function checkText(input: unknown): string {
  if (typeof input !== 'string') {
    throw new KubeconfigError('wrong-type', 'The kubeconfig is not text');
  }
  if (input.length > MAX_BYTES || Buffer.byteLength(input, 'utf8') > MAX_BYTES) {
    throw new KubeconfigError('too-large', 'The kubeconfig is larger than 256 KiB');
  }
  const text = input.startsWith('\ufeff') ? input.slice(1) : input;
  const bad = text.search(BAD_CHARACTER);
  if (bad !== -1) {
    throw new KubeconfigError('characters', `has ${nameOf(text.charCodeAt(bad))}`, {
      place: { path: 'The kubeconfig', line: lineAt(text, bad) },
    });
  }
  if (hasLostItsLineBreaks(text)) {
    throw new KubeconfigError('line-breaks-lost', 'The kubeconfig is YAML that lost its line breaks');
  }
  return text;
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i !== -1 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

/** What a decoded YAML value may not hold: escapes such as `\u0000` bring in what the check of the text cannot see. */
export function hasBadCharacter(value: string): boolean {
  return BAD_DECODED_CHARACTER.test(value);
}

/** A single-line field of a form turns line breaks into spaces or drops them; JSON survives that, YAML does not. */
function hasLostItsLineBreaks(text: string): boolean {
  const line = text.trim();
  if (line.includes('\n') || line.startsWith('{')) return false;
  const keys = ['apiVersion', 'kind', 'clusters', 'users', 'contexts', 'current-context'];
  return keys.filter((key) => line.includes(`${key}:`)).length > 1;
}

function nameOf(code: number): string {
  if (code === 9) return 'a tab';
  if (code === 0) return 'a NUL character';
  if (code === 0xfffd || (code >= 0xd800 && code <= 0xdfff)) return 'a character that is not valid UTF-8';
  return 'a control character';
}

import { isNavinError } from '../../../core/errors';
import { ChartError } from '../charts';

/** An error as it may be logged. */
export interface ShownError {
  /** A code of core/errors, a reason of a component, or the class of an error that is neither. */
  readonly code: string;
  readonly message: string;
  /** Where an error came from that nobody foresaw: places in the code, nothing else. */
  readonly at?: readonly string[];
}

const MAX_MESSAGE = 500;
const MAX_PLACES = 8;

/**
 * Our errors hold nothing secret in code and message; their details, hints and causes stay out all the same. Of others
 * only what cannot be a value: parsers and argument checks quote what they were given, so their messages are left out.
 */
export function shownError(error: unknown): ShownError {
  if (isNavinError(error)) return { code: error.code, message: shownText(error.message) };
  if (error instanceof ChartError) return { code: error.reason, message: shownText(error.message) };
  if (!isError(error)) return { code: 'unknown', message: 'Something that is no error was thrown.' };
  const code = shownName(error.name);
  const message = quotesItsInput(error) ? 'The message is left out: it may quote what was read.' : error.message;
  const at = placesOf(error);
  return { code, message: shownText(message), ...(at.length > 0 ? { at } : {}) };
}

/** One line without control, format and direction characters, bounded. */
export function shownText(text: string): string {
  const line = text
    .slice(0, 2 * MAX_MESSAGE)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim();
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE - 1)}…`;
}

/** Also of another realm, as errors of Node itself are in tests. */
function isError(error: unknown): error is Error {
  return Object.prototype.toString.call(error) === '[object Error]';
}

function shownName(name: unknown): string {
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'Error';
}

function quotesItsInput(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined;
  return error.name === 'SyntaxError' || (typeof code === 'string' && code.startsWith('ERR_INVALID_'));
}

function placesOf({ stack }: Error): readonly string[] {
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  return lines
    .map((line) => /^ {4}at ([^\n]{1,300})$/.exec(line)?.[1])
    .filter((place) => place !== undefined)
    .slice(0, MAX_PLACES)
    .map(shownText);
}

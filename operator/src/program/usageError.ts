/**
 * What whoever starts the operator has to change: a flag, or the file it names. The message is one line that may be shown
 * to anybody: it names the flag and what is expected, and repeats neither values nor what is in a file.
 */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/**
 * One rule about a part of the resource, said twice: as CEL for the API server and as a function for everybody else.
 * A test against the real API server holds the two together.
 */
export interface Rule<T> {
  /** The rule in CEL, about `self`. */
  readonly rule: string;
  /** What must be, as the end of a sentence about the field. */
  readonly message: string;
  /** The field to name, as `.field`, when it is not the part itself. */
  readonly fieldPath?: string;
  /** The same rule here. The types of all fields have been checked. */
  readonly holds: (value: T) => boolean;
}

import { NavinError } from '../errors';

/** A manifest that cannot be read. */
export class ManifestError extends NavinError {
  /** @param problem what is wrong, as the end of a sentence about the manifest; nothing of its text */
  constructor(readonly problem: string) {
    super('k8s_parameter_invalid', `The manifest ${problem}.`);
  }
}

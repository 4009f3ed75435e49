import { ManifestError, readManifest } from '../../core/manifest';
import { parameterInvalid } from './parameters';

/**
 * Reads the one document of a parameter.
 * @throws NavinError `k8s_parameter_invalid` with the line; the text itself is not repeated
 */
export function parseManifest(text: string, parameter: string, label: string): unknown {
  const documents = read(text, parameter, label);
  if (documents.length === 0) throw parameterInvalid(parameter, label, 'is empty');
  if (documents.length > 1) {
    throw parameterInvalid(parameter, label, 'holds several documents; give one for each item');
  }
  return documents[0];
}

function read(text: string, parameter: string, label: string): readonly unknown[] {
  try {
    return readManifest(text);
  } catch (error) {
    const problem = error instanceof ManifestError ? parameterInvalid(parameter, label, error.problem) : error;
    throw problem;
  }
}

import { isNavinError } from '../../../core/errors';
import { readCaBundle } from '../../../core/kubeconfig';
import { parseRegistryConfig, RegistryConfigError, type RegistryCredential } from '../oci';
import { readBoundedFile } from './boundedFile';
import type { ProgramOptions } from './options';
import { UsageError } from './usageError';

/** What the files about registries say. */
export interface RegistryFiles {
  readonly credentials?: ReadonlyMap<string, RegistryCredential>;
  readonly ca?: string;
  readonly warnings: readonly string[];
}

const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_CA_BYTES = 256 * 1024;

/**
 * Reads the files about registries. Nothing of them is repeated in an error.
 *
 * @throws UsageError
 */
export async function readRegistryFiles(
  options: Pick<ProgramOptions, 'registryConfig' | 'registryCa'>,
): Promise<RegistryFiles> {
  const { registryConfig, registryCa } = options;
  const credentials = registryConfig === undefined ? undefined : await readCredentials(registryConfig);
  const bundle = registryCa === undefined ? undefined : await readCa(registryCa);
  return {
    ...(credentials === undefined ? {} : { credentials }),
    ...(bundle === undefined ? {} : { ca: bundle.pem }),
    warnings: (bundle?.warnings ?? []).map((warning) => `--registry-ca: ${warning}`),
  };
}

async function readCredentials(path: string): Promise<ReadonlyMap<string, RegistryCredential>> {
  const text = await readBoundedFile('--registry-config', path, MAX_CONFIG_BYTES);
  try {
    return parseRegistryConfig(text);
  } catch (error) {
    if (!(error instanceof RegistryConfigError)) throw error;
    throw new UsageError(error.message);
  }
}

/** Each certificate is parsed: TLS would leave out one that it cannot read, and say so only when a chart is fetched. */
async function readCa(path: string): Promise<ReturnType<typeof readCaBundle>> {
  const text = await readBoundedFile('--registry-ca', path, MAX_CA_BYTES);
  try {
    return readCaBundle(text, new Date(), { path: '--registry-ca' });
  } catch (error) {
    if (!isNavinError(error)) throw error;
    throw new UsageError(`${error.message}.`);
  }
}

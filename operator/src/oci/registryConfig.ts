import { isRecord } from '../../../core/kube';
import { registryHost } from './dockerHub';

/** What a registry is told about who asks. */
export interface RegistryCredential {
  readonly username: string;
  readonly password: string;
}

/** The longest file of credentials, in bytes. */
const MAX_BYTES = 1024 * 1024;
const MAX_ENTRIES = 256;

/** A `--registry-config` that cannot be used. What is in the file is never repeated. */
export class RegistryConfigError extends Error {
  constructor(problem: string) {
    super(`--registry-config ${problem}.`);
    this.name = 'RegistryConfigError';
  }
}

/**
 * Reads a docker config.json: credentials by host. Helpers are refused, because they are programs to run.
 *
 * @throws RegistryConfigError
 */
export function parseRegistryConfig(text: string): ReadonlyMap<string, RegistryCredential> {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new RegistryConfigError('is larger than 1 MiB');
  const config = parse(text);
  if (!isRecord(config)) throw new RegistryConfigError('is not a docker config.json');
  if (config.credsStore !== undefined || config.credHelpers !== undefined) {
    throw new RegistryConfigError('names credential helpers (credsStore, credHelpers), which are not run: use auths');
  }
  const auths = isRecord(config.auths) ? Object.entries(config.auths) : [];
  if (auths.length > MAX_ENTRIES) throw new RegistryConfigError(`has more than ${MAX_ENTRIES} hosts`);
  return new Map(auths.map(([key, value], index) => [hostOf(key), credentialOf(value, index + 1)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RegistryConfigError('is not JSON');
  }
}

/** Keys are hosts, by docker's habit sometimes URLs. */
function hostOf(key: string): string {
  const url = `https://${key.replace(/^https?:\/\//, '')}`;
  return URL.canParse(url) ? registryHost(new URL(url).host) : key;
}

function credentialOf(entry: unknown, number: number): RegistryCredential {
  const problem = new RegistryConfigError(
    `has no usable credential in entry ${number}: auth, or username and password`,
  );
  if (!isRecord(entry)) throw problem;
  if (typeof entry.username === 'string' && typeof entry.password === 'string') {
    return checked({ username: entry.username, password: entry.password }, problem);
  }
  if (typeof entry.auth !== 'string') throw problem;
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(entry.auth, 'base64').toString('utf8')) ?? [];
  if (username === undefined || password === undefined) throw problem;
  return checked({ username, password }, problem);
}

function checked(credential: RegistryCredential, problem: RegistryConfigError): RegistryCredential {
  if (credential.username === '' || credential.password === '' || credential.username.includes(':')) throw problem;
  return credential;
}

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { classifyAddress } from './classify';
import { codeOf } from './connectionError';
import { EgressPolicyError } from './errors';
import type { Grant } from './grant';
import { parseGrant } from './grantParser';

/** One loopback address and port, for development. */
export interface DevApiServer {
  readonly address: string;
  readonly port: number;
}

/** What the administrator of the n8n host allows beside public addresses. */
export interface EgressPolicy {
  readonly grants: readonly Grant[];
  /** From NAVIN_DEV_API_SERVER. Whoever starts n8n logs it; the connection test names it. */
  readonly devApiServer?: DevApiServer;
}

/** The environment variables that make the policy. */
export const POLICY_VARIABLES = {
  grants: 'NAVIN_PRIVATE_NETWORKS',
  file: 'NAVIN_PRIVATE_NETWORKS_FILE',
  devApiServer: 'NAVIN_DEV_API_SERVER',
} as const;

/** The longest list of grants, in bytes of JSON. */
const MAX_POLICY_BYTES = 64 * 1024;
/** The most grants in a list. */
const MAX_GRANTS = 256;

/**
 * Reads the policy from the environment: NAVIN_PRIVATE_NETWORKS (a JSON list of `{cidr, ports, credentials?}`) or the
 * file named by NAVIN_PRIVATE_NETWORKS_FILE (the same JSON, up to 64 KiB), and NAVIN_DEV_API_SERVER
 * (`127.0.0.1:6443`). Empty variables count as absent.
 *
 * @param readFile reads the file; throws when it cannot. For tests.
 * @throws EgressPolicyError (`k8s_egress_policy_invalid`) when a variable cannot be used, and when a grant covers an
 * address that is never allowed or is not wholly private. What is in the file is never repeated in the error.
 */
export function loadEgressPolicy(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string = readBoundedFile,
): EgressPolicy {
  const inline = setting(env, POLICY_VARIABLES.grants);
  const path = setting(env, POLICY_VARIABLES.file);
  const dev = setting(env, POLICY_VARIABLES.devApiServer);
  if (inline !== undefined && path !== undefined) {
    throw new EgressPolicyError(
      POLICY_VARIABLES.file,
      `and ${POLICY_VARIABLES.grants} are both set: it is not clear which one holds. Set one of them`,
    );
  }
  return { grants: loadGrants(inline, path, readFile), ...(dev === undefined ? {} : { devApiServer: parseDev(dev) }) };
}

function setting(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function loadGrants(inline: string | undefined, path: string | undefined, readFile: (path: string) => string): Grant[] {
  if (path !== undefined) return parseGrants(POLICY_VARIABLES.file, read(path, readFile));
  return inline === undefined ? [] : parseGrants(POLICY_VARIABLES.grants, inline);
}

function read(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path);
  } catch (error) {
    if (error instanceof EgressPolicyError) throw error;
    const code = codeOf(error) ?? 'unknown fault';
    throw new EgressPolicyError(POLICY_VARIABLES.file, `names a file that cannot be read (${code})`);
  }
}

/** Reads a regular file of at most {@link MAX_POLICY_BYTES}. A pipe would block n8n, so it is not even opened. */
function readBoundedFile(path: string): string {
  if (!statSync(path).isFile()) throw notAFile();
  const file = openSync(path, 'r');
  try {
    if (!fstatSync(file).isFile()) throw notAFile();
    const bytes = Buffer.alloc(MAX_POLICY_BYTES + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count) {
      count = readSync(file, bytes, length, bytes.length - length, null);
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

function notAFile(): EgressPolicyError {
  return new EgressPolicyError(POLICY_VARIABLES.file, 'does not name a regular file');
}

function parseGrants(variable: string, text: string): Grant[] {
  if (Buffer.byteLength(text) > MAX_POLICY_BYTES) {
    throw new EgressPolicyError(variable, `holds more than ${MAX_POLICY_BYTES / 1024} KiB`);
  }
  const list = parseJson(variable, text);
  if (!Array.isArray(list)) {
    throw new EgressPolicyError(variable, 'must be a JSON list like [{"cidr":"10.0.0.0/24","ports":[6443]}]');
  }
  if (list.length > MAX_GRANTS) throw new EgressPolicyError(variable, `holds more than ${MAX_GRANTS} grants`);
  return list.map((value: unknown, index) => parseGrant(value, variable, index + 1));
}

/** The error of JSON.parse quotes the text, which may be a file named by mistake: it is dropped. */
function parseJson(variable: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EgressPolicyError(variable, 'is not valid JSON');
  }
}

function parseDev(text: string): DevApiServer {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const found = classifyAddress(parts?.[1] ?? parts?.[2] ?? '');
  const port = Number(parts?.[3]);
  if (!isLoopback(found.address) || !Number.isInteger(port) || port < 1 || port > 65535) {
    throw new EgressPolicyError(
      POLICY_VARIABLES.devApiServer,
      'must be one loopback address and port, like 127.0.0.1:6443 or [::1]:6443',
    );
  }
  return { address: found.address, port };
}

/** Whether the policy's development setting admits this address and port: exactly this one, and only on loopback. */
export function isDevApiServer(policy: EgressPolicy, address: string, port: number): boolean {
  const dev = policy.devApiServer;
  return dev?.port === port && dev.address === address && isLoopback(address);
}

/** A loopback address itself, not an IPv6 form that holds one. */
function isLoopback(address: string): boolean {
  const found = classifyAddress(address);
  return found.class === 'loopback' && found.embedded === undefined;
}

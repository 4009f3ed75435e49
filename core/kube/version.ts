import { NavinError } from '../errors';
import { isRecord } from './kubeObject';
import type { Requester } from './requester';

/** The version of an API server. */
export interface VersionInfo {
  /** For instance `v1.35.0-eks-3a10415`. */
  readonly gitVersion: string;
  readonly major: number;
  readonly minor: number;
  /** For instance `linux/amd64`. */
  readonly platform: string;
  readonly gitCommit: string;
  readonly buildDate: string;
  readonly goVersion: string;
}

/** The oldest Kubernetes this package speaks to. */
export const MINIMUM_VERSION = { major: 1, minor: 24 } as const;

/** GET /version. @throws NavinError of the request; `k8s_not_kubernetes` when the answer is no version. */
export async function readVersion(requester: Requester, signal?: AbortSignal): Promise<VersionInfo> {
  const version = parseVersion(await requester.json({ method: 'GET', path: '/version', write: false, signal }));
  if (version) return version;
  throw new NavinError(
    'k8s_not_kubernetes',
    'The server answers, but not with a version as a Kubernetes API server does.',
    {
      hint: 'Check the address, port and path of the API server.',
    },
  );
}

/** Reads a version; undefined when it is none. `minor` may be `24+`; without numbers gitVersion decides. */
export function parseVersion(answer: unknown): VersionInfo | undefined {
  if (!isRecord(answer)) return undefined;
  const gitVersion = text(answer.gitVersion);
  const [, gitMajor, gitMinor] = /^v?(\d{1,4})\.(\d{1,4})/.exec(gitVersion) ?? [];
  const major = leadingNumber(answer.major) ?? leadingNumber(gitMajor);
  const minor = leadingNumber(answer.minor) ?? leadingNumber(gitMinor);
  if (gitVersion === '' || major === undefined || minor === undefined) return undefined;
  return {
    gitVersion,
    major,
    minor,
    platform: text(answer.platform),
    gitCommit: text(answer.gitCommit),
    buildDate: text(answer.buildDate),
    goVersion: text(answer.goVersion),
  };
}

/** Whether a version is one this package speaks to. */
export function isSupported(version: Pick<VersionInfo, 'major' | 'minor'>): boolean {
  const { major, minor } = MINIMUM_VERSION;
  return version.major > major || (version.major === major && version.minor >= minor);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 128) : '';
}

function leadingNumber(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^\d{1,4}/.exec(value)?.[0] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

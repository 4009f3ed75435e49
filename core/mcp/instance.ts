import { isRecord, type KubeObject } from '../kube';
import { OWNER_LABEL, PROJECT_LABEL, TEMPLATE_LABEL, TENANT_LABEL } from './names';

/** A managed instance: what of an MCPServer a person may see. Its spec holds arguments and variables, and stays out. */
export interface McpInstance {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly tenant?: string;
  readonly project?: string;
  readonly template?: string;
  /** The fingerprint of the owner, 16 hexadecimal digits; absent when there is none. */
  readonly owner?: string;
  /** {@link phaseOf} */
  readonly phase: string;
  /** Where clients reach it. */
  readonly address?: string;
  readonly createdAt?: string;
  /** Whole seconds. */
  readonly ageSeconds?: number;
  /** Its deletion was asked for; it is there until its finalizer is removed. */
  readonly deleting?: true;
}

/** @param now milliseconds since 1970 */
export function instanceOf(object: KubeObject, now: number): McpInstance {
  const { metadata, status } = object;
  const { name = '', namespace = '', uid, creationTimestamp } = metadata;
  const created = Date.parse(creationTimestamp ?? '');
  const { url, phase } = isRecord(status) ? status : {};
  return known({
    namespace,
    name,
    uid,
    tenant: labelOf(object, TENANT_LABEL),
    project: labelOf(object, PROJECT_LABEL),
    template: labelOf(object, TEMPLATE_LABEL),
    owner: fingerprintOf(labelOf(object, OWNER_LABEL)),
    phase: phaseOf(phase),
    address: addressOf(url),
    createdAt: creationTimestamp,
    ageSeconds: Number.isNaN(created) ? undefined : Math.max(0, Math.floor((now - created) / 1_000)),
    deleting: metadata.deletionTimestamp === undefined ? undefined : true,
  });
}

/**
 * The phase as one word. ToolHive called the same state Running before 0.17 and Ready since: it is Ready here. Phases that
 * are not known are shown as they are; what is no word, and no phase at all, is Unknown.
 */
export function phaseOf(phase: unknown): string {
  if (phase === 'Running') return 'Ready';
  return typeof phase === 'string' && /^[A-Za-z][A-Za-z0-9]{0,62}$/.test(phase) ? phase : 'Unknown';
}

/**
 * The lifecycle controller writes the owner as a fingerprint. Anything else may be an identity, which is not shown: not even
 * as a hash, because whoever guesses the identity can prove it by that.
 */
function fingerprintOf(owner: string | undefined): string | undefined {
  return owner !== undefined && /^[0-9a-f]{16}$/.test(owner) ? owner : undefined;
}

/** An address without what may be secret in it: user, password, query and fragment. */
function addressOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || url.length > 2_048 || !URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}${pathname}` : undefined;
}

function labelOf({ metadata }: KubeObject, label: string): string | undefined {
  const value: unknown = metadata.labels?.[label];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Without the fields that have no value. */
function known<T extends object>(fields: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };
}

import type { DevApiServer } from '../egress';
import { isNavinError, NavinError } from '../errors';
import { type CaBundle, readCaBundle, readCaField } from './ca';
import { type ClusterEntry, type Located, readConfig, type UserEntry } from './config';
import { parseDocument } from './document';
import { KubeconfigError, type Place } from './errors';
import { type CheckedIdentity, readClientCertificate, readToken } from './identity';
import { decodeBase64 } from './pem';
import { sectionForContext } from './sections';
import { parseServerUrl, refuseForbiddenHost, requireSameServer } from './server';
import { type ClusterTarget, makeTarget } from './target';
import { checkText } from './text';

/** What both ways of naming a cluster have in common. Empty text counts as absent. */
interface CommonInput {
  /** The registered API server, `https://host[:port][/path]`. */
  readonly server: string;
  /** The registered CA (PEM, or base64 of PEM). With a kubeconfig that has a CA it is a pin: both must be the same. */
  readonly ca?: string | undefined;
  /** The registered namespace: wins over that of the context. Default `default`. */
  readonly namespace?: string | undefined;
  /** Whether the server's certificate is of a public CA: then the CA may be absent. Default false. */
  readonly allowPublicCa?: boolean | undefined;
  /** The one loopback address that the n8n host admits for development (`EgressPolicy.devApiServer`). */
  readonly devApiServer?: DevApiServer | undefined;
  /** Default: the time of the call. */
  readonly now?: Date | undefined;
}

/** A kubeconfig and the fields registered beside it. */
export interface KubeconfigInput extends CommonInput {
  readonly kubeconfig: string;
}

/** A bearer token and the fields registered beside it. */
export interface TokenInput extends CommonInput {
  readonly token: string;
}

/** A checked target, and what the owner of the credential should know (no secrets; sentences). */
export interface GuardResult {
  readonly target: ClusterTarget;
  readonly warnings: readonly string[];
}

/**
 * Turns a kubeconfig into a checked target. It is parsed once; the target is rebuilt from values, so nothing that was
 * not understood goes on. No file is read, no program runs, nothing is connected to.
 * @throws KubeconfigError what is refused, by rule ({@link KUBECONFIG_RULES}); code `k8s_kubeconfig_invalid`
 * @throws ServerMismatchError the current context points to another server; code `k8s_server_mismatch`
 */
export function targetFromKubeconfig(input: KubeconfigInput): GuardResult {
  return contain(() => {
    const now = clock(input);
    const registered = parseServerUrl(requireText(input.server, 'The API server'));
    const config = readConfig(parseDocument(checkText(input.kubeconfig)));
    const context = config.contexts.get(config.currentContext);
    const cluster = config.clusters.get(context?.cluster ?? '');
    const user = config.users.get(context?.user ?? '');
    if (context === undefined || cluster === undefined || user === undefined) {
      throw new NavinError('k8s_internal', 'The guard lost a reference that it had checked');
    }
    refuseForbiddenHost(cluster.server, cluster.serverPlace, {
      devApiServer: input.devApiServer,
      docs: sectionForContext(config.currentContext),
    });
    requireSameServer(cluster.server, registered);
    const ca = chooseCa(input, cluster, now);
    const { identity, warnings } = readIdentity(user, now);
    const namespace = readNamespace(input, context.namespace);
    return {
      target: makeTarget({ server: registered.href, ca: ca?.pem, identity, namespace }),
      warnings: [...(ca?.warnings ?? []), ...warnings],
    };
  });
}

/**
 * Turns API server, CA and token into a checked target, by the same checks as a kubeconfig.
 * @throws KubeconfigError what is refused, by rule; code `k8s_kubeconfig_invalid`
 */
export function targetFromToken(input: TokenInput): GuardResult {
  return contain(() => {
    const now = clock(input);
    const server = parseServerUrl(requireText(input.server, 'The API server'));
    refuseForbiddenHost(server, 'The API server', { devApiServer: input.devApiServer });
    const ca = chooseCa(input, undefined, now);
    const { identity, warnings } = readToken(requireText(input.token, 'The token'), now, { path: 'The token' });
    const namespace = readNamespace(input, undefined);
    return {
      target: makeTarget({ server: server.href, ca: ca?.pem, identity, namespace }),
      warnings: [...(ca?.warnings ?? []), ...warnings],
    };
  });
}

function chooseCa(input: CommonInput, cluster: ClusterEntry | undefined, now: Date): CaBundle | undefined {
  const field = optionalText(input.ca, 'The CA');
  const registered = field === undefined ? undefined : readCaField(field, now);
  const data = cluster?.caData;
  const own = data === undefined ? undefined : readCaBundle(decoded(data), now, data.place);
  if (registered !== undefined && own !== undefined) {
    const same =
      registered.fingerprints.size === own.fingerprints.size &&
      [...own.fingerprints].every((fingerprint) => registered.fingerprints.has(fingerprint));
    if (!same) throw new KubeconfigError('ca-mismatch', 'is not the CA of the credential', { place: data?.place });
  }
  const ca = own ?? registered;
  if (ca === undefined && input.allowPublicCa !== true) {
    const place: Place = cluster?.place ?? { path: 'The credential' };
    throw new KubeconfigError('ca-missing', 'has no CA', { place });
  }
  return ca;
}

function readIdentity(user: UserEntry, now: Date): CheckedIdentity {
  const { certificateData, keyData, token, place } = user;
  if (token !== undefined && (certificateData ?? keyData) !== undefined) {
    throw new KubeconfigError('one-identity', 'has both a token and a client certificate', { place });
  }
  if (token !== undefined) return readToken(token.text, now, token.place);
  if (certificateData === undefined && keyData === undefined) {
    throw new KubeconfigError('no-identity', 'has neither a token nor a client certificate', { place });
  }
  if (certificateData === undefined || keyData === undefined) {
    const missing = keyData === undefined ? 'client-key-data' : 'client-certificate-data';
    throw new KubeconfigError('client-certificate-incomplete', `has no ${missing}`, { place });
  }
  return readClientCertificate(
    { text: decoded(certificateData), place: certificateData.place },
    { text: decoded(keyData), place: keyData.place },
    now,
  );
}

function readNamespace(input: CommonInput, fromContext: Located | undefined): string {
  const registered = optionalText(input.namespace, 'The namespace');
  const namespace = registered ?? fromContext?.text ?? 'default';
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    const place = registered === undefined ? fromContext?.place : undefined;
    throw new KubeconfigError('namespace', place === undefined ? 'The namespace is not valid' : 'is not valid', {
      place,
    });
  }
  return namespace;
}

function decoded({ text, place }: Located): string {
  const bytes = decodeBase64(text);
  if (bytes === undefined) throw new KubeconfigError('base64', 'is not base64', { place });
  // PEM is ASCII; latin1 keeps every byte, so that nothing can become a different character.
  return bytes.toString('latin1');
}

function requireText(value: unknown, subject: string): string {
  if (typeof value !== 'string') throw new KubeconfigError('wrong-type', `${subject} is not text`);
  return value;
}

function optionalText(value: unknown, subject: string): string | undefined {
  return value === undefined || value === '' ? undefined : requireText(value, subject);
}

function clock(input: CommonInput): Date {
  const now = input.now ?? new Date();
  // Every comparison with an invalid date is false: nothing would count as expired.
  if (Number.isNaN(now.getTime())) throw new NavinError('k8s_internal', 'The time given to the guard is not valid');
  return now;
}

/** Whatever else happens inside, callers see our errors only, and without the text that led to them. */
function contain<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isNavinError(error)) throw error;
    throw new NavinError('k8s_internal', 'The guard failed on this kubeconfig in a way it does not know');
  }
}

import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { parseCertificates } from './ca';
import { KubeconfigError, type Place } from './errors';
import { formatPem, parsePem } from './pem';
import { EXPIRY_WARNING_MS, inWords, remainingMs, validityOf } from './validity';

/** A client certificate and its key. Printing it, or turning it into JSON, shows the type only. */
export interface ClientCertificateIdentity {
  readonly type: 'clientCertificate';
  /** PEM: the certificate of the identity first, then those of its issuers. */
  readonly certificate: string;
  /** PEM, PKCS #8, not encrypted. */
  readonly key: string;
}

/** A bearer token. Printing it, or turning it into JSON, shows the type only. */
export interface BearerTokenIdentity {
  readonly type: 'token';
  readonly token: string;
}

/** Who a client is to the API server. */
export type Identity = ClientCertificateIdentity | BearerTokenIdentity;

/** An identity, and what its owner should know. */
export interface CheckedIdentity {
  readonly identity: Identity;
  readonly warnings: readonly string[];
}

const MAX_CHAIN = 10;
const MAX_KEY_BYTES = 16 * 1024;
const MAX_TOKEN = 16_384;
const KEY_TYPES: readonly (string | undefined)[] = ['rsa', 'rsa-pss', 'ec', 'ed25519', 'ed448'];
const KEY_FORMATS: Readonly<Record<string, 'pkcs8' | 'pkcs1' | 'sec1'>> = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
};
/** Extended key usages that allow a certificate to authenticate a client (RFC 5280 4.2.1.12): clientAuth, any. */
const CLIENT_USAGES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

/**
 * Checks a client certificate (PEM, own certificate first) and its key (PEM) against each other and against the time.
 * @throws KubeconfigError `client-certificate-invalid`, `client-key-invalid`, `key-encrypted`, `key-mismatch`, `certificate-validity`, `too-large`
 */
export function readClientCertificate(
  certificate: { readonly text: string; readonly place: Place },
  key: { readonly text: string; readonly place: Place },
  now: Date,
): CheckedIdentity {
  const chain = parseCertificates(certificate.text, 'client-certificate-invalid', MAX_CHAIN, certificate.place);
  const privateKey = readPrivateKey(key.text, key.place);
  const [own] = chain;
  if (own?.checkPrivateKey(privateKey) !== true) {
    throw new KubeconfigError('key-mismatch', 'does not belong to the client certificate', { place: key.place });
  }
  const validity = validityOf(own, now);
  if (validity !== 'valid') {
    const what = validity === 'expired' ? `expired ${inWords(remainingMs(own, now))} ago` : 'is not valid yet';
    throw new KubeconfigError('certificate-validity', what, { place: certificate.place });
  }
  return {
    identity: sealed({
      type: 'clientCertificate',
      certificate: chain.map(({ raw }) => formatPem('CERTIFICATE', raw)).join(''),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }),
    warnings: certificateWarnings(own, now),
  };
}

/**
 * Checks a bearer token: what HTTP headers carry unchanged, so that nothing can be smuggled into a request.
 * @throws KubeconfigError `token-format`
 */
export function readToken(token: string, now: Date, place: Place): CheckedIdentity {
  if (token.length > MAX_TOKEN)
    throw new KubeconfigError('token-format', 'is longer than 16,384 characters', { place });
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const what = token === '' ? 'is empty' : 'has spaces, line breaks or characters that are not printable ASCII';
    throw new KubeconfigError('token-format', what, { place });
  }
  return { identity: sealed({ type: 'token', token }), warnings: tokenWarnings(token, now) };
}

function readPrivateKey(text: string, place: Place): KeyObject {
  const blocks = parsePem(text)?.filter(({ label }) => label !== 'EC PARAMETERS');
  const [block, ...more] = blocks ?? [];
  if (block === undefined || more.length > 0) {
    throw new KubeconfigError('client-key-invalid', 'is not one PEM private key', { place });
  }
  if (block.encrypted) throw new KubeconfigError('key-encrypted', 'is encrypted with a passphrase', { place });
  const format = KEY_FORMATS[block.label];
  const key = format === undefined ? undefined : parsePrivateKey(block.der, format);
  if (key === undefined || !KEY_TYPES.includes(key.asymmetricKeyType)) {
    throw new KubeconfigError('client-key-invalid', 'is not a private key of a kind that is known', { place });
  }
  return key;
}

function parsePrivateKey(der: Buffer | undefined, type: 'pkcs8' | 'pkcs1' | 'sec1'): KeyObject | undefined {
  if (der === undefined || der.length > MAX_KEY_BYTES) return undefined;
  try {
    return createPrivateKey({ key: der, format: 'der', type });
  } catch {
    return undefined;
  }
}

function certificateWarnings(certificate: X509Certificate, now: Date): string[] {
  const warnings: string[] = [];
  const left = remainingMs(certificate, now);
  if (left <= EXPIRY_WARNING_MS) {
    warnings.push(
      left > 0 ? `The client certificate expires in ${inWords(left)}.` : 'The client certificate expires now.',
    );
  }
  const usages = extendedKeyUsages(certificate);
  if (usages !== undefined && !usages.some((usage) => CLIENT_USAGES.includes(usage))) {
    warnings.push('The client certificate is not made for client authentication: API servers refuse it.');
  }
  return warnings;
}

/** Node calls the *extended* usages `keyUsage`, and has none where the certificate names none: its types do not say so. */
function extendedKeyUsages(certificate: { readonly keyUsage?: readonly string[] }): readonly string[] | undefined {
  return certificate.keyUsage;
}

/** Tokens of ServiceAccounts are JWTs that tell their end (RFC 7519 `exp`); it is read for a warning, never trusted. */
function tokenWarnings(token: string, now: Date): string[] {
  if (token.startsWith('ZXlK')) {
    // base64 of `eyJ`, the beginning of every JWT: taken from a Secret without decoding it.
    return ['The token looks like base64 of a token: decode it first (base64 --decode).'];
  }
  const expiry = jwtExpiryMs(token);
  if (expiry === undefined) return [];
  const left = expiry - now.getTime();
  if (left <= 0) return [`The token expired ${inWords(left)} ago. See docs/kubeconfig.md#tokens`];
  return left <= EXPIRY_WARNING_MS ? [`The token expires in ${inWords(left)}. See docs/kubeconfig.md#tokens`] : [];
}

function jwtExpiryMs(token: string): number | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    const expiry = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined;
    return typeof expiry === 'number' && Number.isFinite(expiry) ? expiry * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** Freezes an identity and keeps its secrets out of logs and JSON. */
export function sealed<T extends Identity>(identity: T): T {
  const shown = (): { type: string } => ({ type: identity.type });
  return Object.freeze(
    Object.defineProperties(identity, { toJSON: { value: shown }, [inspect.custom]: { value: shown } }),
  );
}

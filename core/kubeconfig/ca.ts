import { X509Certificate } from 'node:crypto';
import { KubeconfigError, type Place } from './errors';
import { decodeBase64, formatPem, parsePem } from './pem';
import { EXPIRY_WARNING_MS, inWords, remainingMs, validityOf } from './validity';

/** A checked CA bundle. */
export interface CaBundle {
  /** PEM of each certificate once, in the order given, rebuilt from what was parsed. */
  readonly pem: string;
  /** SHA-256 fingerprints of the certificates. */
  readonly fingerprints: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

const MAX_CERTIFICATES = 100;
const MAX_TEXT = 256 * 1024;

/**
 * Checks a CA bundle: PEM, every certificate a CA certificate, at least one of them valid now. Certificates that have
 * expired are kept beside a valid one: bundles hold the old and the new CA during a rotation.
 * @throws KubeconfigError `too-large`, `ca-invalid`, `ca-not-ca`, `ca-validity`
 */
export function readCaBundle(text: string, now: Date, place: Place): CaBundle {
  const certificates = parseCertificates(text, 'ca-invalid', MAX_CERTIFICATES, place);
  const numbered = certificates.map((certificate, index) => ({ certificate, index }));
  const stranger = numbered.find(({ certificate }) => !certificate.ca);
  if (stranger !== undefined) {
    const which = certificates.length === 1 ? 'The certificate' : `Certificate ${stranger.index + 1}`;
    throw new KubeconfigError('ca-not-ca', `${which} is not a CA certificate`, { place });
  }
  const valid = certificates.filter((certificate) => validityOf(certificate, now) === 'valid');
  if (valid.length === 0) {
    throw new KubeconfigError('ca-validity', 'holds no CA certificate that is valid now', { place });
  }
  const unique = new Map(certificates.map((certificate) => [certificate.fingerprint256, certificate]));
  return {
    pem: [...unique.values()].map(({ raw }) => formatPem('CERTIFICATE', raw)).join(''),
    fingerprints: new Set(unique.keys()),
    warnings: caWarnings(certificates, valid, now),
  };
}

/**
 * A CA given in a field of its own: PEM, or the base64 of PEM as in `certificate-authority-data`.
 * @throws KubeconfigError as {@link readCaBundle}
 */
export function readCaField(text: string, now: Date): CaBundle {
  const place = { path: 'The CA' };
  const decoded = text.length > MAX_TEXT || text.includes('-----') ? undefined : decodeBase64(text);
  return readCaBundle(decoded?.toString('latin1') ?? text, now, place);
}

/**
 * The certificates of a PEM text, at least one. Other blocks are refused.
 * @throws KubeconfigError `too-large`, or `rule`
 */
export function parseCertificates(
  text: string,
  rule: 'ca-invalid' | 'client-certificate-invalid',
  most: number,
  place: Place,
): readonly X509Certificate[] {
  if (text.length > MAX_TEXT) throw new KubeconfigError('too-large', 'is larger than 256 KiB', { place });
  const blocks = parsePem(text);
  if (blocks === undefined || blocks.length === 0) throw new KubeconfigError(rule, 'is not PEM text', { place });
  if (blocks.length > most) {
    throw new KubeconfigError(rule, `holds more than ${most} certificates`, { place });
  }
  return blocks.map(({ label, der }, index) => {
    if (label !== 'CERTIFICATE') {
      throw new KubeconfigError(rule, 'holds something else than certificates', { place });
    }
    const certificate = der === undefined ? undefined : parseCertificate(der);
    if (certificate === undefined) {
      throw new KubeconfigError(rule, `Certificate ${index + 1} cannot be read`, { place });
    }
    return certificate;
  });
}

function parseCertificate(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}

function caWarnings(all: readonly X509Certificate[], valid: readonly X509Certificate[], now: Date): string[] {
  const longest = Math.max(...valid.map((certificate) => remainingMs(certificate, now)));
  const warnings: string[] = [];
  if (valid.length < all.length) {
    warnings.push(
      `${all.length - valid.length} of the ${all.length} CA certificates have expired or are not valid yet.`,
    );
  }
  if (longest <= EXPIRY_WARNING_MS) warnings.push(`The CA of the cluster expires in ${inWords(longest)}.`);
  return warnings;
}

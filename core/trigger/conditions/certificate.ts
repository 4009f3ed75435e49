import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '../../kube';
import { known, recordAt, textAt } from './fields';
import type { ConditionRule } from './rule';

/** The largest `tls.crt` that is read: a Secret holds 1 MiB at most. */
const MAX_BASE64 = 1_500_000;
const PEM = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,200000}?-----END CERTIFICATE-----/;

/**
 * The certificate of a TLS Secret ends within N days (or has ended). A renewed certificate is a new one: the incident
 * ends, and its own end counts. Of the Secret's data nothing leaves this rule but these dates.
 */
export const certificateExpiring: ConditionRule = {
  resources: ['secrets'],
  about: 'The certificate in a TLS Secret ends within a number of days',
  timer: 'deadline',
  lasting: true,
  examine: (secret) => {
    const certificate = leafOf(secret);
    if (!certificate) return { findings: [] };
    const since = Date.parse(certificate.validTo);
    if (!Number.isFinite(since)) return { findings: [] };
    const from = Date.parse(certificate.validFrom);
    const facts = known({
      validFrom: Number.isFinite(from) ? new Date(from).toISOString() : undefined,
      expiresAt: new Date(since).toISOString(),
    });
    const key = certificate.fingerprint256.replaceAll(':', '').slice(0, 24).toLowerCase();
    return { findings: [{ slot: 'tls.crt', key, since, facts }] };
  },
  show: withoutData,
};

/** The first certificate of `tls.crt`: that of the server; the rest is its chain. */
function leafOf(secret: KubeObject): X509Certificate | undefined {
  if (secret.type !== 'kubernetes.io/tls') return undefined;
  const encoded = textAt(recordAt(secret, 'data'), 'tls.crt', MAX_BASE64 + 1);
  if (encoded === undefined || encoded.length > MAX_BASE64) return undefined;
  const pem = PEM.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[0];
  if (pem === undefined) return undefined;
  try {
    return new X509Certificate(pem);
  } catch {
    // Not a certificate: whoever uses it will say so; there is no end to warn of.
    return undefined;
  }
}

/** The Secret without its data, also where `kubectl apply` left a copy of it. */
export function withoutData(secret: KubeObject): KubeObject {
  const { data, stringData, metadata, ...rest } = secret;
  void data;
  void stringData;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => name !== 'kubectl.kubernetes.io/last-applied-configuration',
  );
  return {
    ...rest,
    metadata: {
      ...metadata,
      ...(metadata.annotations === undefined ? {} : { annotations: Object.fromEntries(annotations) }),
    },
  };
}

import { createPrivateKey } from 'node:crypto';
import { CertificateAuthority, type CertificateOptions, type KeyKind, type KeyPair } from '../../../test/certificates';

/** The time the guard is told in tests. */
export const NOW = new Date('2026-11-29T12:00:00Z');

const DAY = 86_400;

export type Pair = KeyPair;

/** Seconds from {@link NOW}; by default valid from a day ago. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

/** A CA that issues client certificates. */
export interface TestCa extends Pair {
  issue(options?: Times & Pick<CertificateOptions, 'kind' | 'usage'>): Promise<Pair>;
}

/** Makes a CA. */
export async function makeCa(
  name: string,
  { kind = 'p256', ca = true, ...times }: Times & { readonly kind?: KeyKind; readonly ca?: boolean } = {},
): Promise<TestCa> {
  const authority = await CertificateAuthority.create({ name, kind, ca, ...validity(times, 3650) });
  return {
    certificate: authority.certificate,
    key: authority.key,
    issue: async ({ kind: leafKind = 'p256', usage = 'client', ...leafTimes } = {}) =>
      authority.issue({ subject: 'CN=navin,O=navin:readers', kind: leafKind, usage, ...validity(leafTimes, 365) }),
  };
}

/** The same key in the PEM form that older tools write (`RSA PRIVATE KEY`, `EC PRIVATE KEY`), or encrypted. */
export function rewriteKey(key: string, form: 'pkcs1' | 'sec1' | 'encrypted' | 'encrypted-traditional'): string {
  const parsed = createPrivateKey(key);
  switch (form) {
    case 'encrypted':
      return parsed.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
    case 'encrypted-traditional':
      return parsed.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
    case 'pkcs1':
    case 'sec1':
      return parsed.export({ type: form, format: 'pem' }).toString();
  }
}

function validity({ from = -DAY, to }: Times, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: at(from), notAfter: at(to ?? days * DAY) };
}

function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

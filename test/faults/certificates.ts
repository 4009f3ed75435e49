import type { CertificateOptions } from '../certificates';

/** What is wrong with a serving certificate; `good` is right for 127.0.0.1 and localhost. */
export type CertificateFault = 'good' | 'expired' | 'not-yet-valid' | 'wrong-name' | 'wrong-usage';

const HOUR_MS = 3_600_000;
const RIGHT: CertificateOptions = { addresses: ['127.0.0.1'], names: ['localhost'] };

/** The options that give a serving certificate its fault. */
export function faultyCertificate(fault: CertificateFault): CertificateOptions {
  switch (fault) {
    case 'good':
      return RIGHT;
    case 'expired':
      return { ...RIGHT, notBefore: at(-48), notAfter: at(-24) };
    case 'not-yet-valid':
      return { ...RIGHT, notBefore: at(24), notAfter: at(48) };
    case 'wrong-name':
      return { names: ['another.example'] };
    case 'wrong-usage':
      return { ...RIGHT, usage: 'client' };
  }
}

function at(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

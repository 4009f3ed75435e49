import type { X509Certificate } from 'node:crypto';

/** How far the clocks of a cluster and of n8n may differ, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;

/** What ends within this time is told in a warning, in milliseconds. */
export const EXPIRY_WARNING_MS = 7 * 24 * 3_600_000;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Whether a certificate is valid at a time, give or take {@link CLOCK_SKEW_MS}. */
export function validityOf(certificate: X509Certificate, now: Date): 'valid' | 'expired' | 'not yet valid' {
  const time = now.getTime();
  // Written so that a date that cannot be read counts as expired.
  if (!(time <= Date.parse(certificate.validTo) + CLOCK_SKEW_MS)) return 'expired';
  return time >= Date.parse(certificate.validFrom) - CLOCK_SKEW_MS ? 'valid' : 'not yet valid';
}

/** Milliseconds until a certificate ends; negative when it has ended. */
export function remainingMs(certificate: X509Certificate, now: Date): number {
  return Date.parse(certificate.validTo) - now.getTime();
}

/** A duration in words, rounded down to its largest unit: `3 days`, `1 hour`. */
export function inWords(durationMs: number): string {
  const duration = Math.abs(durationMs);
  for (const [unit, ms] of UNITS) {
    const count = Math.floor(duration / ms);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

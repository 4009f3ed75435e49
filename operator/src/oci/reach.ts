import type { EgressPolicy } from '../../../core/egress';
import { registryHost } from './dockerHub';

/** Who decides where connections may go. */
export interface Reach {
  /** Whether the administrator has listed the host of a URL. */
  isListed(url: URL): boolean;
  policyFor(url: URL): EgressPolicy;
}

/** The private ranges that a grant may open. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7'];

/**
 * A registry that the administrator has listed may have a private address, at its own port only; a host that is reached
 * by a redirect may not. What is never allowed (loopback, metadata services) is not allowed by listing it either.
 */
export function reachOf(registries: readonly string[]): Reach {
  const listed = new Set(registries.map((host) => new URL(`https://${registryHost(host)}`).host));
  return {
    isListed: ({ host }) => listed.has(host),
    policyFor: ({ host, port }) => {
      if (!listed.has(host)) return { grants: [] };
      return { grants: PRIVATE.map((cidr) => ({ cidr, ports: [port === '' ? 443 : Number(port)] })) };
    },
  };
}

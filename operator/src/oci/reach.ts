import { GRANTABLE_RANGES, type EgressPolicy } from '../../../core/egress';
import { registryHost } from './dockerHub';

/** Who decides where connections may go. */
export interface Reach {
  /** Whether the administrator has listed the host of a URL. */
  isListed(url: URL): boolean;
  policyFor(url: URL): EgressPolicy;
}

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
      return { grants: GRANTABLE_RANGES.map((cidr) => ({ cidr, ports: [port === '' ? 443 : Number(port)] })) };
    },
  };
}

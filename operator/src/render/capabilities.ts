import { isAllowedKind } from '../../../core/components';
import type { ApiResource, VersionInfo } from '../../../core/kube';

/** What charts are told about the cluster (`.Capabilities`). */
export interface Capabilities {
  /** For instance `v1.37.2`. */
  readonly kubeVersion: string;
  /** Sorted: `apps/v1`, `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
}

/**
 * The capabilities of a cluster. Only what a chart may render is offered: a chart that asks whether ServiceMonitors are
 * served, and then renders one, would be refused for it. So other definitions of the cluster do not matter either, and
 * installing one renders nothing anew.
 */
export function capabilitiesOf(version: VersionInfo, served: readonly ApiResource[]): Capabilities {
  const offered = served.filter((resource) => isAllowedKind(resource));
  const names = offered.flatMap(({ group, version: of, kind }) => {
    const groupVersion = group === '' ? of : `${group}/${of}`;
    return [groupVersion, `${groupVersion}/${kind}`];
  });
  return { kubeVersion: kubeVersionOf(version), apiVersions: [...new Set(names)].sort() };
}

/** With what a vendor adds, such as `+k3s1`: charts ask for it. */
function kubeVersionOf({ gitVersion, major, minor }: VersionInfo): string {
  return /^v\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(gitVersion) ? gitVersion : `v${major}.${minor}.0`;
}

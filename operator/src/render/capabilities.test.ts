import { describe, expect, it } from '@jest/globals';
import { parseVersion, type ApiResource, type VersionInfo } from '../../../core/kube';
import { capabilitiesOf } from './capabilities';

const served = (group: string, version: string, kind: string): ApiResource => ({
  group,
  version,
  kind,
  plural: `${kind.toLowerCase()}s`,
  singular: kind.toLowerCase(),
  namespaced: true,
  verbs: [],
  shortNames: [],
  subresources: [],
});

function versionOf(gitVersion: string): VersionInfo {
  const version = parseVersion({ gitVersion });
  if (version === undefined) throw new Error('No version');
  return version;
}

describe('what charts are told about a cluster', () => {
  it('is what they may render of what it serves', () => {
    const resources = [
      served('apps', 'v1', 'Deployment'),
      served('', 'v1', 'Service'),
      served('', 'v1', 'Secret'),
      served('monitoring.coreos.com', 'v1', 'ServiceMonitor'),
      served('autoscaling', 'v1', 'HorizontalPodAutoscaler'),
      served('autoscaling', 'v2', 'HorizontalPodAutoscaler'),
    ];
    expect(capabilitiesOf(versionOf('v1.37.2'), resources)).toEqual({
      kubeVersion: 'v1.37.2',
      apiVersions: [
        'apps/v1',
        'apps/v1/Deployment',
        'autoscaling/v1',
        'autoscaling/v1/HorizontalPodAutoscaler',
        'autoscaling/v2',
        'autoscaling/v2/HorizontalPodAutoscaler',
        'v1',
        'v1/Service',
      ],
    });
  });

  it.each([
    ['v1.31.4+k3s1', 'v1.31.4+k3s1'],
    ['v1.33.0-eks-3a10415', 'v1.33.0-eks-3a10415'],
    ['v1.30', 'v1.30.0'],
    ['v1.30.1 --post-renderer=x', 'v1.30.0'],
  ])('has the version %s as %s', (gitVersion, kubeVersion) => {
    expect(capabilitiesOf(versionOf(gitVersion), []).kubeVersion).toBe(kubeVersion);
  });
});

import { describe, expect, it } from '@jest/globals';
import { chartValues, componentProblems, type ManagedComponent } from '../components';
import { runtimeComponents } from './charts';
import { isDecided, runtimeComponent, runtimeOperator } from './runtime';

describe('the ToolHive operator', () => {
  const image = 'ghcr.io/stacklok/toolhive/operator:v0.59.0';
  const deployment = (labels: object, spec: object, status: object) => ({
    metadata: { name: 'toolhive-operator', labels: labels as Readonly<Record<string, string>> },
    spec: { template: { spec: { containers: [{ name: 'manager', image }] } }, ...spec },
    status,
  });

  it('that is not there is not ready', () => {
    expect(runtimeOperator(undefined)).toEqual({ found: false, ready: false });
  });

  it.each([
    [{ 'app.kubernetes.io/version': 'v0.58.0' }, { replicas: 2 }, { readyReplicas: 2 }, [true, 2, 2, 'v0.58.0']],
    [{}, { replicas: 2 }, { readyReplicas: 1 }, [false, 2, 1, 'v0.59.0']],
    [{}, {}, {}, [false, 1, 0, 'v0.59.0']],
    [{}, { replicas: 0 }, {}, [false, 0, 0, 'v0.59.0']],
  ])('with labels %j, spec %j and status %j', (labels, spec, status, [ready, replicas, readyReplicas, version]) => {
    expect(runtimeOperator(deployment(labels, spec, status))).toEqual({
      found: true,
      ready,
      replicas,
      readyReplicas,
      version,
    });
  });

  it.each([
    ['registry.example:5000/toolhive/operator:v1@sha256:abc', 'v1'],
    ['registry.example:5000/toolhive/operator@sha256:abc', undefined],
    ['registry.example:5000/toolhive/operator', undefined],
    [undefined, undefined],
  ])('of the image %j has the version %j', (name, version) => {
    const spec = { template: { spec: { containers: [{ image: name }] } } };
    expect(runtimeOperator(deployment({}, spec, {})).version).toBe(version);
  });
});

describe('what an installation writes', () => {
  const [crds, operator] = runtimeComponents();

  it('is two ManagedComponents, definitions first, pinned by the digests of their manifests', () => {
    expect(runtimeComponents().map(({ metadata, spec }) => [metadata.namespace, metadata.name, spec])).toEqual([
      [
        'toolhive-system',
        'toolhive-operator-crds',
        {
          service: 'toolhive-operator-crds',
          version: '0.59.0',
          desiredState: 'Running',
          source: {
            oci: {
              ref: 'oci://ghcr.io/stacklok/toolhive/toolhive-operator-crds@sha256:b7694eb741a04043818978c34b0136cf8cef30329a95ae16de518bd02daaf620',
            },
          },
        },
      ],
      [
        'toolhive-system',
        'toolhive-operator',
        expect.objectContaining({
          version: '0.59.0',
          source: {
            oci: {
              ref: 'oci://ghcr.io/stacklok/toolhive/toolhive-operator@sha256:0920e45a4d371a6a9096c0019afea688e3aecbd1167182f5dacfe86b37605449',
            },
          },
          replicas: 2,
          pdb: { maxUnavailable: 1 },
        }),
      ],
    ]);
  });

  it('runs ToolHive restricted, without experiments and autoscaling, for the whole cluster', () => {
    expect((operator?.spec as { values: unknown }).values).toEqual({
      operator: {
        replicaCount: 2,
        rbac: { scope: 'cluster' },
        features: { experimental: false },
        autoscaling: { enabled: false },
        podSecurityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containerSecurityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          runAsUser: 1000,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        },
      },
    });
  });

  it('is what the Navin Platform Operator takes', () => {
    for (const component of [crds, operator]) {
      expect(componentProblems(component)).toEqual([]);
      expect(chartValues(component?.spec as ManagedComponent['spec'])).toHaveProperty('values');
    }
  });
});

describe('a component of ToolHive', () => {
  const metadata = { name: 'toolhive-operator', generation: 2 };
  const refused = {
    observedGeneration: 2,
    state: 'installing',
    health: 'unknown',
    operationState: 'failed',
    securityState: 'non_compliant',
    converged: false,
    operation: { type: 'install', reason: 'ForbiddenKind', message: 'refused' },
    security: { reason: 'ForbiddenKind', message: 'ClusterRole is not allowed' },
  };

  it('that nobody has looked at is unknown, and not decided', () => {
    const component = runtimeComponent({ metadata });
    expect(component).toEqual({
      name: 'toolhive-operator',
      state: 'unknown',
      health: 'unknown',
      operationState: 'unknown',
      securityState: 'unknown',
      converged: false,
    });
    expect(isDecided(component)).toBe(false);
  });

  it('that was refused says why', () => {
    const component = runtimeComponent({ metadata, status: refused });
    expect(component).toEqual({
      name: 'toolhive-operator',
      state: 'installing',
      health: 'unknown',
      operationState: 'failed',
      securityState: 'non_compliant',
      converged: false,
      reason: 'ForbiddenKind',
      message: 'ClusterRole is not allowed',
    });
    expect(isDecided(component)).toBe(true);
  });

  it('of which only the generation before was looked at is not decided', () => {
    const component = runtimeComponent({ metadata, status: { ...refused, observedGeneration: 1, converged: true } });
    expect([component.converged, component.operationState, isDecided(component)]).toEqual([false, 'unknown', false]);
  });
});

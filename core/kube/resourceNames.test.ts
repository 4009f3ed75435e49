import { describe, expect, it } from '@jest/globals';
import { RESOURCES, type ApiResource } from './apiResource';
import { editDistance, findBuiltIn, findByKind, findResource, suggest, unknownResource } from './resourceNames';

function served(group: string, version: string, plural: string, kind: string, shortNames: string[] = []): ApiResource {
  return {
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    verbs: ['get'],
    shortNames,
    subresources: [],
  };
}

/** In the order of a real server: core, built-in groups, then the others by priority. */
const SERVED = [
  RESOURCES.pods,
  RESOURCES.services,
  RESOURCES.events,
  served('events.k8s.io', 'v1', 'events', 'Event', ['ev']),
  RESOURCES.deployments,
  served('metrics.k8s.io', 'v1beta1', 'pods', 'PodMetrics'),
  served('serving.knative.dev', 'v1', 'services', 'Service', ['kservice', 'ksvc']),
  served('toolhive.stacklok.dev', 'v1beta1', 'mcpservers', 'MCPServer', ['mcpserver']),
  served('toolhive.stacklok.dev', 'v1alpha1', 'mcpservers', 'MCPServer', ['mcpserver']),
  served('a.example', 'v1', 'clusters', 'Cluster', ['po']),
  served('b.example', 'v1', 'clusters', 'Cluster'),
];

describe('findResource', () => {
  it.each([
    ['pods', 'pods.v1.'],
    ['Pod', 'pods.v1.'],
    ['po', 'pods.v1.'],
    [' POD ', 'pods.v1.'],
    ['events', 'events.v1.'],
    ['events.events.k8s.io', 'events.v1.events.k8s.io'],
    ['ev.events.k8s.io', 'events.v1.events.k8s.io'],
    ['Service', 'services.v1.'],
    ['Service.serving.knative.dev', 'services.v1.serving.knative.dev'],
    ['ksvc', 'services.v1.serving.knative.dev'],
    ['PodMetrics', 'pods.v1beta1.metrics.k8s.io'],
    ['pods.metrics.k8s.io', 'pods.v1beta1.metrics.k8s.io'],
    ['deployments.apps', 'deployments.v1.apps'],
    ['deploy.apps', 'deployments.v1.apps'],
    ['deployments.v1.apps', 'deployments.v1.apps'],
    ['apps/v1/Deployment', 'deployments.v1.apps'],
    ['apps/v1/deployments', 'deployments.v1.apps'],
    ['apps/Deployment', 'deployments.v1.apps'],
    ['v1/Pod', 'pods.v1.'],
    ['core/v1/pods', 'pods.v1.'],
    ['pods.core', 'pods.v1.'],
    ['pods.v1', 'pods.v1.'],
    ['MCPServer', 'mcpservers.v1beta1.toolhive.stacklok.dev'],
    ['toolhive.stacklok.dev/v1alpha1/MCPServer', 'mcpservers.v1alpha1.toolhive.stacklok.dev'],
    ['mcpservers.v1alpha1.toolhive.stacklok.dev', 'mcpservers.v1alpha1.toolhive.stacklok.dev'],
    ['Cluster', 'clusters.v1.a.example'],
    ['clusters.b.example', 'clusters.v1.b.example'],
  ])('%s', (name, expected) => {
    const found = findResource(SERVED, name);
    expect(found && `${found.plural}.${found.version}.${found.group}`).toBe(expected);
  });

  it.each(['', '.', '/', 'podz', 'pods/log', 'a/b/c/d', 'deployments.v2.apps', 'apps/v2/Deployment', 'x'.repeat(1000)])(
    'finds nothing for %j',
    (name) => {
      expect(findResource(SERVED, name)).toBeUndefined();
    },
  );

  it('knows what every cluster has without discovery', () => {
    expect(findBuiltIn('hpa')).toBe(RESOURCES.horizontalpodautoscalers);
    expect(findBuiltIn('CronJob')).toBe(RESOURCES.cronjobs);
    expect(findBuiltIn('autoscaling/v2/HorizontalPodAutoscaler')).toBe(RESOURCES.horizontalpodautoscalers);
    expect(findBuiltIn('ManagedComponent')).toBeUndefined();
  });

  it('finds the resource of an object exactly', () => {
    expect(findByKind(SERVED, 'serving.knative.dev/v1', 'Service')?.group).toBe('serving.knative.dev');
    expect(findByKind(SERVED, 'v1', 'service')).toBeUndefined();
  });
});

describe('suggest', () => {
  it.each([
    ['deploymnts', ['deployments.apps']],
    ['pdos', ['pods', 'pods.metrics.k8s.io']],
    ['Servic', ['services', 'services.serving.knative.dev']],
    ['mcpserver.toolhive.stacklok.de', ['mcpservers.toolhive.stacklok.dev']],
    ['completely-different', []],
    ['x', []],
  ])('%s', (name, expected) => {
    expect(suggest(name, SERVED)).toEqual(expected);
  });

  it('puts them into the error', () => {
    const error = unknownResource('deploymnts', SERVED);
    expect(error.code).toBe('k8s_not_found');
    expect(error.hint).toBe('Did you mean "deployments.apps"?');
    expect(unknownResource('zzz\u0000z', SERVED).message).toBe('The cluster serves no resource "zzz z".');
  });
});

describe('editDistance', () => {
  it.each([
    ['pods', 'pods', 0],
    ['pdos', 'pods', 1],
    ['pod', 'pods', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['abcdef', 'fedcba', 4],
  ])('%s %s', (left, right, distance) => {
    expect(editDistance(left, right, 3)).toBe(Math.min(distance, 4));
    expect(editDistance(right, left, 3)).toBe(Math.min(distance, 4));
  });
});

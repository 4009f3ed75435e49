import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { InstanceCounter } from './counts';
import { instanceOf, phaseOf } from './instance';
import { hasInstanceLabel, hasNamespaceLabel, isInstanceNamespace } from './names';

const NOW = Date.parse('2026-03-01T12:00:00Z');

function server(labels: Readonly<Record<string, string>> = {}, status: unknown = undefined): KubeObject {
  return {
    metadata: {
      namespace: 'mcp-0123456789ab',
      name: 'fetch',
      uid: 'u-1',
      creationTimestamp: '2026-03-01T11:58:30Z',
      labels,
    },
    spec: { image: 'fetch:1', env: [{ name: 'TOKEN', value: 'hunter2' }] },
    ...(status === undefined ? {} : { status }),
  };
}

describe('an instance', () => {
  it('is shown with what it belongs to, its phase, address and age, and nothing of its spec', () => {
    const labels = {
      'eai.io/tenant': 'acme',
      'eai.io/project': 'chat',
      'eai.io/template': 'fetch-v2',
      'eai.io/owner': '0123456789abcdef',
    };
    const url = 'http://mcp-fetch-proxy.mcp-0123456789ab.svc.cluster.local:8080/sse';
    expect(instanceOf(server(labels, { phase: 'Running', url, message: 'hunter2' }), NOW)).toEqual({
      namespace: 'mcp-0123456789ab',
      name: 'fetch',
      uid: 'u-1',
      tenant: 'acme',
      project: 'chat',
      template: 'fetch-v2',
      owner: '0123456789abcdef',
      phase: 'Ready',
      address: url,
      createdAt: '2026-03-01T11:58:30Z',
      ageSeconds: 90,
    });
  });

  it('without labels, status and times is shown with its name alone', () => {
    expect(instanceOf({ metadata: { name: 'fetch', namespace: 'mcp-0123456789ab' } }, NOW)).toEqual({
      namespace: 'mcp-0123456789ab',
      name: 'fetch',
      phase: 'Unknown',
    });
  });

  it.each(['alice', 'alice.example.com', '0123456789ABCDEF', '0123456789abcde', '0123456789abcdef0'])(
    'shows nothing of an owner that is no fingerprint: %s',
    (owner) => {
      expect(instanceOf(server({ 'eai.io/owner': owner }), NOW)).not.toHaveProperty('owner');
    },
  );

  it.each([
    ['Running', 'Ready'],
    ['Ready', 'Ready'],
    ['Pending', 'Pending'],
    ['Terminating', 'Terminating'],
    ['Stopped', 'Stopped'],
    ['Migrating', 'Migrating'],
    [undefined, 'Unknown'],
    ['', 'Unknown'],
    ['<script>', 'Unknown'],
    [{ phase: 'Ready' }, 'Unknown'],
  ])('in phase %j counts as %s', (phase, shown) => {
    expect(phaseOf(phase)).toBe(shown);
  });

  it.each([
    ['https://robot:hunter2@mcp.example/fetch?token=hunter2#top', 'https://mcp.example/fetch'],
    ['http://10.0.0.1:8080/', 'http://10.0.0.1:8080/'],
    ['javascript:alert(1)', undefined],
    ['not an address', undefined],
    [['http://a'], undefined],
  ])('with the address %j shows %j', (url, address) => {
    expect(instanceOf(server({}, { url }), NOW).address).toBe(address);
  });

  it('that is being deleted says so', () => {
    const object = server();
    const deleting = { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
    expect(instanceOf(deleting, NOW).deleting).toBe(true);
  });

  it('is never younger than nothing, whatever the clocks say', () => {
    expect(instanceOf(server(), NOW - 3_600_000).ageSeconds).toBe(0);
  });
});

describe('what makes an instance a managed one', () => {
  it.each([
    [{ 'app.kubernetes.io/managed-by': 'eai-mcp-runtime' }, true],
    [{ 'app.kubernetes.io/managed-by': 'Helm' }, false],
    [{}, false],
    [undefined, false],
  ])('labels %j: %s', (labels, managed) => {
    expect(hasInstanceLabel(labels)).toBe(managed);
  });

  it.each([
    [{ 'eai.io/mcp-runtime': 'true' }, true],
    [{ 'eai.io/mcp-runtime': 'false' }, false],
    [undefined, false],
  ])('of the namespace the labels %j: %s', (labels, managed) => {
    expect(hasNamespaceLabel(labels)).toBe(managed);
  });

  it.each([
    ['mcp-0123456789ab', true],
    ['mcp-0123456789AB', false],
    ['mcp-0123456789a', false],
    ['mcp-0123456789abc', false],
    ['xmcp-0123456789ab', false],
    ['mcp-0123456789ab\n', false],
    [undefined, false],
  ])('the namespace %j: %s', (name, managed) => {
    expect(isInstanceNamespace(name)).toBe(managed);
  });
});

it('instances are counted by phase, tenant and project, those without one apart', () => {
  const counter = new InstanceCounter();
  const of = (phase: string, labels: Readonly<Record<string, string>>): void => {
    counter.add(instanceOf(server(labels, { phase }), NOW));
  };
  of('Running', { 'eai.io/tenant': 'acme', 'eai.io/project': 'chat' });
  of('Ready', { 'eai.io/tenant': 'acme', 'eai.io/project': 'constructor' });
  of('Failed', { 'eai.io/tenant': 'globex' });
  expect(counter.total).toBe(3);
  expect(counter.counts).toEqual({
    byPhase: { Failed: 1, Ready: 2 },
    byTenant: { acme: 2, globex: 1 },
    byProject: { '(none)': 1, chat: 1, constructor: 1 },
  });
});

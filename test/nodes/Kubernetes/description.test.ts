import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type INodeProperties, type INodePropertyOptions, NodeHelpers } from 'n8n-workflow';
import { METRICS, RESOURCES } from '../../../core/kube';
import { Kubernetes } from '../../../nodes/Kubernetes/Kubernetes.node';
import { RESOURCE_DESCRIPTIONS, RUNS } from '../../../nodes/Kubernetes/actions';
import { OPERATIONS } from '../../../nodes/Kubernetes/actions';
import { ACTIONS } from '../../../nodes/Kubernetes/run';
import type { Property } from '../../../nodes/shared/property';
import { READ_ONLY_FIELD } from '../../../nodes/shared/readOnly';
import { RIGHTS_GROUPS } from '../../../nodes/shared/rights';
import { nodeOf } from '../testing/context';

const node = new Kubernetes();
const folder = join(__dirname, '../../../nodes/Kubernetes');
const CASES = RESOURCE_DESCRIPTIONS.flatMap((resource) =>
  resource.operations.map((operation) => [`${resource.name}: ${operation.name}`, resource, operation] as const),
);

/** What all kinds can that roll out pods. */
const WORKLOAD = [
  'Get',
  'Get Many',
  'Get Rollout History',
  'Get Rollout Status',
  'Restart',
  'Set Environment',
  'Set Image',
  'Undo Rollout',
];

/** A property with all that are inside of it. */
function inside(property: Property): readonly Property[] {
  const children = (property.options ?? []).flatMap((option) => {
    if ('values' in option) return option.values;
    return 'type' in option ? [option] : [];
  });
  return [property, ...children.flatMap(inside)];
}

describe('the description of the node', () => {
  it('has the operations users were promised', () => {
    expect(CASES.map(([name]) => name).sort()).toEqual(
      [
        'Access: Review Rights',
        'Access: Who Am I',
        ...['Evict', 'Wait'].map((name) => `Pod: ${name}`),
        ...[
          'Get',
          'Get Many',
          'Create',
          'Apply',
          'Delete',
          'Patch',
          'Replace',
          'Diff',
          'Wait',
          'Label',
          'Annotate',
          'Get Events',
        ].map((name) => `Any Resource: ${name}`),
        ...['Get API Resources', 'Get Health', 'Get Version'].map((name) => `Cluster: ${name}`),
        ...WORKLOAD.map((name) => `DaemonSet: ${name}`),
        ...[...WORKLOAD, 'Scale', 'Pause', 'Resume'].map((name) => `Deployment: ${name}`),
        ...[...WORKLOAD, 'Scale'].map((name) => `StatefulSet: ${name}`),
        'Event: Get Many',
        ...['Create', 'Get', 'Get Many', 'Wait'].map((name) => `Job: ${name}`),
        ...['Get', 'Get Many'].map((name) => `Namespace: ${name}`),
        ...['ConfigMap', 'Secret'].flatMap((kind) =>
          ['Get', 'Get Many', 'Remove Keys', 'Set Keys'].map((name) => `${kind}: ${name}`),
        ),
        ...['Create', 'Get', 'Get Many', 'Resume', 'Run Now', 'Suspend'].map((name) => `CronJob: ${name}`),
        ...['Cordon', 'Drain', 'Get', 'Get Allocated Resources', 'Get Many', 'Get Pods', 'Taint'].map(
          (name) => `Node: ${name}`,
        ),
        ...['Uncordon', 'Untaint'].map((name) => `Node: ${name}`),
        ...['Delete', 'Download File', 'Execute Command', 'Get', 'Get Logs', 'Get Many', 'Upload File'].map(
          (name) => `Pod: ${name}`,
        ),
        ...['Service', 'Ingress', 'PersistentVolumeClaim', 'HorizontalPodAutoscaler', 'ServiceAccount'].flatMap(
          (kind) => ['Get', 'Get Many'].map((name) => `${kind}: ${name}`),
        ),
        'ServiceAccount: Create Token',
        ...['Node', 'Pod'].map((kind) => `${kind}: Get Usage`),
      ].sort(),
    );
  });

  it.each(CASES)('%s says what it does, in which words n8n wants it', (_name, resource, operation) => {
    expect(operation.name).toMatch(/^[A-Z]/);
    expect(operation.action).toMatch(/^[A-Z][a-z ]+$/);
    expect(operation.action).not.toMatch(/\b(a|an|the)\b/);
    expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description.length).toBeLessThan(110);
    expect(operation.action.toLowerCase()).toContain(resource.value);
  });

  it.each(CASES)('%s has one function and is found by the router', (_name, resource, operation) => {
    expect(ACTIONS.find(resource.value, operation.value)).toEqual({
      description: operation,
      run: RUNS[resource.value]?.[operation.value],
    });
  });

  it.each(CASES)('%s names rights that exist', (_name, _resource, operation) => {
    for (const { group, resource, subresource, verb } of operation.rights) {
      const known = [...Object.values(RESOURCES), ...Object.values(METRICS)].find(
        (candidate) => candidate.plural === resource && candidate.group === group,
      );
      expect([known?.group, known?.verbs.includes(verb)]).toEqual([group, true]);
      if (subresource !== undefined) expect(known?.subresources).toContain(subresource);
    }
  });

  it.each(CASES)('%s uses verbs of a kind exactly where it takes a kind', (_name, _resource, operation) => {
    const { rightsGroup, verbs = [], properties } = operation;
    expect(verbs.some(({ optional }) => optional !== true)).toBe(rightsGroup === 'kind');
    if (rightsGroup === 'kind') expect(properties[0]?.name).toMatch(/^(kind|manifestFrom)$/);
    expect(verbs.filter(({ verb }) => !RESOURCES.configmaps.verbs.includes(verb))).toEqual([]);
  });

  it.each(CASES)('%s has parameters with distinct names and useful defaults', (_name, _resource, operation) => {
    const names = operation.properties.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const property of operation.properties.flatMap(inside)) {
      if (property.type === 'options') {
        const values = (property.options as readonly INodePropertyOptions[]).map(({ value }) => value);
        expect(values).toContain(property.default);
      }
      if (property.type === 'boolean') expect(property.description).toMatch(/^Whether /);
      if (property.typeOptions?.minValue !== undefined && typeof property.default === 'number') {
        expect(property.default).toBeGreaterThanOrEqual(property.typeOptions.minValue);
      }
    }
  });

  it.each(CASES)('%s tells an agent of each parameter what to fill in, in few words', (_name, _resource, operation) => {
    const fillable = operation.properties
      .flatMap(inside)
      .filter(({ type }) => !['collection', 'notice'].includes(type));
    const texts = fillable.map(({ name, description = '' }) => ({ name, description }));
    expect(texts.filter(({ description }) => description.length < 8 || description.length > 160)).toEqual([]);
  });

  it.each(CASES)('%s shows its own parameters and no others', (_name, resource, operation) => {
    const shown = nodeOf({ resource: resource.value, operation: operation.value }).parameters;
    const hidden = operation.properties.filter(({ displayOptions }) => displayOptions !== undefined);
    const always = operation.properties.filter(({ displayOptions }) => displayOptions === undefined);
    expect(Object.keys(shown)).toEqual(
      expect.arrayContaining(['resource', 'operation', 'readOnly', ...always.map(({ name }) => name)]),
    );
    const allowed = [
      'resource',
      'operation',
      'readOnly',
      ...always.map(({ name }) => name),
      ...hidden.map(({ name }) => name),
    ];
    expect(Object.keys(shown).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('refers only to list searches that exist', () => {
    const modes = node.description.properties.flatMap((property) => property.modes ?? []);
    const methods = new Set(modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []));
    expect([...methods].sort()).toEqual(Object.keys(node.methods.listSearch).sort());
  });

  it('is complete for n8n: every parameter belongs to a resource and an operation, but one for all of them', () => {
    const { properties } = node.description;
    expect(properties.filter(({ displayOptions }) => displayOptions === undefined)).toEqual([
      properties[0],
      READ_ONLY_FIELD,
    ]);
    for (const property of properties.slice(1, -1)) {
      expect(property.displayOptions?.show).toHaveProperty('resource');
      if (property.name !== 'operation') expect(property.displayOptions?.show).toHaveProperty('operation');
    }
  });

  it('can be given to an agent as a tool and starts with an operation that changes nothing', () => {
    expect(node.description.usableAsTool).toBe(true);
    const start = nodeOf({});
    expect([start.parameters.resource, start.parameters.operation]).toEqual(['pod', 'getAll']);
    expect(NodeHelpers.getNodeParametersIssues(node.description.properties, start, node.description)).toBeNull();
  });

  it('is tested by the function every node of the package has', () => {
    expect(node.description.credentials).toEqual([
      { name: 'navinKubernetesApi', required: true, testedBy: 'navinKubernetesApiTest' },
    ]);
    expect(Object.keys(node.methods.credentialTest)).toEqual(['navinKubernetesApiTest']);
  });

  it('lists all groups of rights where they can be chosen', () => {
    const groups = Object.entries(RIGHTS_GROUPS)
      .map(([value, { title, description }]) => ({ name: title, value, description }))
      .sort((left, right) => left.name.localeCompare(right.name));
    const review = OPERATIONS.find(({ value }) => value === 'review');
    expect(review?.properties.find(({ name }) => name === 'groups')?.options).toEqual(groups);
  });

  it('has its files beside it', () => {
    const { icon, name } = node.description;
    for (const file of Object.values(icon as Record<string, string>)) {
      const svg = readFileSync(join(folder, file.replace('file:', '')), 'utf8');
      expect(svg).toContain('viewBox="0 0 60 60"');
    }
    const codex = JSON.parse(readFileSync(join(folder, 'Kubernetes.node.json'), 'utf8')) as { node: string };
    expect(codex.node).toBe(`@navin/n8n-nodes-kubernetes.${name}`);
    expect(existsSync(join(folder, 'run.ts'))).toBe(true);
  });

  it('sorts what n8n wants sorted', () => {
    const unsorted = node.description.properties
      .filter(({ name, options }) => name === 'options' && (options?.length ?? 0) > 4)
      .filter(({ options }) => {
        const names = (options as INodeProperties[]).map(({ displayName }) => displayName);
        return [...names].sort((left, right) => left.localeCompare(right)).join() !== names.join();
      });
    expect(unsorted).toEqual([]);
  });
});

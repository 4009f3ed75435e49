import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type INodeProperties, type INodePropertyOptions, NodeHelpers } from 'n8n-workflow';
import { METRICS, RESOURCES } from '../../core/kube';
import { NODES, OPERATIONS } from '../../nodes/catalog';
import type { Actions } from '../../nodes/shared/actions';
import type { Property } from '../../nodes/shared/property';
import { isRead, READ_ONLY_FIELD } from '../../nodes/shared/readOnly';
import { RIGHTS_GROUPS } from '../../nodes/shared/rights';
import { NODE_TYPES, nodeOf } from './testing/context';

const CASES = NODES.flatMap(({ displayName, resources }) =>
  resources.flatMap((resource) =>
    resource.operations.map(
      (operation) => [`${displayName}: ${resource.name}: ${operation.name}`, resource, operation] as const,
    ),
  ),
);

const TYPES = NODES.map((node) => {
  const type = NODE_TYPES.find(({ description }) => description.displayName === node.displayName);
  if (type === undefined) throw new Error(`no test knows the node ${node.displayName}`);
  return [node.displayName, node, type] as const;
});

/** Groups of resources that are defined by definitions of their own. */
const CUSTOM_GROUPS = ['platform.navin.ai', 'toolhive.stacklok.dev'];

/** A property with all that are inside of it. */
function inside(property: Property): readonly Property[] {
  const children = (property.options ?? []).flatMap((option) => {
    if ('values' in option) return option.values;
    return 'type' in option ? [option] : [];
  });
  return [property, ...children.flatMap(inside)];
}

describe('an operation', () => {
  it.each(CASES)('%s says what it does, in which words n8n wants it', (_name, resource, operation) => {
    expect(operation.name).toMatch(/^[A-Z]/);
    expect(operation.action).toMatch(/^[A-Z][a-z]+(?: (?:MCP|[a-z]+))*$/);
    expect(operation.action).not.toMatch(/\b(a|an|the)\b/);
    expect(operation.description).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description.length).toBeLessThan(110);
    expect(operation.action.toLowerCase().replaceAll(' ', '')).toContain(resource.value.toLowerCase());
  });

  it.each(CASES)('%s names rights that exist', (_name, _resource, operation) => {
    const builtIn = operation.rights.filter(({ group }) => !CUSTOM_GROUPS.includes(group));
    for (const { group, resource, subresource, verb } of builtIn) {
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
      if (property.type === 'multiOptions') {
        const values = (property.options as readonly INodePropertyOptions[]).map(({ value }) => value);
        expect(values).toEqual(expect.arrayContaining(property.default as string[]));
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
    const ofAll = ['resource', 'operation', ...('readOnly' in shown ? ['readOnly'] : [])];
    expect(Object.keys(shown)).toEqual(expect.arrayContaining([...ofAll, ...always.map(({ name }) => name)]));
    const allowed = [...ofAll, ...always.map(({ name }) => name), ...hidden.map(({ name }) => name)];
    expect(Object.keys(shown).filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

describe('a node', () => {
  it.each(TYPES)('%s finds each of its operations and its function', async (_name, { folder, resources, runs }) => {
    const { ACTIONS } = (await import(`../../nodes/${folder}/run`)) as { readonly ACTIONS: Actions };
    for (const { value, operations } of resources) {
      for (const description of operations) {
        const run = runs[value]?.[description.value];
        expect(run).toBeInstanceOf(Function);
        expect(ACTIONS.find(value, description.value)).toEqual({ description, run });
      }
    }
  });

  it.each(TYPES)('%s refers only to list searches that exist', (_name, _node, { description, methods }) => {
    const modes = description.properties.flatMap((property) => property.modes ?? []);
    const searches = new Set(modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []));
    const inCollections = JSON.stringify(description.properties);
    const unused = Object.keys(methods.listSearch).filter((name) => !inCollections.includes(`"${name}"`));
    expect([...searches].filter((name) => !(name in methods.listSearch))).toEqual([]);
    expect(unused).toEqual([]);
  });

  it.each(TYPES)(
    '%s is complete for n8n: every parameter belongs to a resource and an operation, but those of all',
    (_name, { resources }, { description: { properties } }) => {
      const changes = resources.flatMap(({ operations }) => operations).some((operation) => !isRead(operation));
      const ofAll = changes ? [properties[0], READ_ONLY_FIELD] : [properties[0]];
      expect(properties.filter(({ displayOptions }) => displayOptions === undefined)).toEqual(ofAll);
      for (const property of properties.filter(({ displayOptions }) => displayOptions !== undefined)) {
        expect(property.displayOptions?.show).toHaveProperty('resource');
        if (property.name !== 'operation') expect(property.displayOptions?.show).toHaveProperty('operation');
      }
    },
  );

  it.each(TYPES)(
    '%s can be given to an agent as a tool and starts with an operation that changes nothing',
    (_name, { resources }, { description }) => {
      expect(description.usableAsTool).toBe(true);
      const { default: resource } = description.properties[0] ?? {};
      const start = nodeOf({ resource });
      const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
      const chosen = operations.find(({ value }) => value === start.parameters.operation);
      expect(chosen && isRead(chosen)).toBe(true);
      expect(NodeHelpers.getNodeParametersIssues(description.properties, start, description)).toBeNull();
    },
  );

  it.each(TYPES)('%s is tested by the function every node of the package has', (_name, _node, type) => {
    expect(type.description.credentials).toEqual([
      { name: 'navinKubernetesApi', required: true, testedBy: 'navinKubernetesApiTest' },
    ]);
    expect(Object.keys(type.methods.credentialTest)).toEqual(['navinKubernetesApiTest']);
  });

  it.each(TYPES)('%s has its files beside it, and an icon of its own', (_name, { folder }, { description }) => {
    const path = join(__dirname, '../../nodes', folder);
    const { icon, name } = description;
    for (const file of Object.values(icon as Record<string, string>)) {
      expect(file).toMatch(new RegExp(`^file:${name}(\\.dark)?\\.svg$`));
      const svg = readFileSync(join(path, file.replace('file:', '')), 'utf8');
      expect(svg).toContain('viewBox="0 0 60 60"');
    }
    const codex = JSON.parse(readFileSync(join(path, `${folder}.node.json`), 'utf8')) as { node: string };
    expect(codex.node).toBe(`@navin/n8n-nodes-kubernetes.${name}`);
    expect(existsSync(join(path, 'run.ts'))).toBe(true);
  });

  it.each(TYPES)('%s sorts what n8n wants sorted', (_name, _node, { description: { properties } }) => {
    const unsorted = properties
      .filter(({ name, options }) => name === 'options' && (options?.length ?? 0) > 4)
      .filter(({ options }) => {
        const names = (options as INodeProperties[]).map(({ displayName }) => displayName);
        return [...names].sort((left, right) => left.localeCompare(right)).join() !== names.join();
      });
    expect(unsorted).toEqual([]);
  });
});

it('all groups of rights are listed wherever they can be reviewed', () => {
  const groups = Object.entries(RIGHTS_GROUPS)
    .map(([value, { title, description }]) => ({ name: title, value, description }))
    .sort((left, right) => left.name.localeCompare(right.name));
  const lists = OPERATIONS.filter(({ value }) => value === 'review').map(
    ({ properties }) => properties.find(({ name }) => name === 'groups')?.options,
  );
  expect(lists).toEqual([groups, groups]);
});

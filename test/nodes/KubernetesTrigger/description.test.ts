import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { NodeHelpers } from 'n8n-workflow';
import { CONDITIONS, type ConditionName, type ConditionRule } from '../../../core/trigger';
import { KubernetesTrigger } from '../../../nodes/KubernetesTrigger/KubernetesTrigger.node';
import { CONDITION_SOURCES, type ConditionSource } from '../../../nodes/KubernetesTrigger/sources';
import { triggerNode } from '../testing/triggerHost';

const node = new KubernetesTrigger();
const folder = join(__dirname, '../../../nodes/KubernetesTrigger');
const parameter = (name: string) => node.description.properties.find((property) => property.name === name);
const credential = {};

describe('the description of the trigger', () => {
  it.each(Object.keys(CONDITIONS) as ConditionName[])('shows the condition %s as its rule is', (name) => {
    const source: ConditionSource = CONDITION_SOURCES[name];
    const rule: ConditionRule = CONDITIONS[name];
    expect(source.resources).toEqual(rule.resources);
    expect([source.timer, source.lasting ?? false]).toEqual([rule.timer, rule.lasting ?? false]);
    expect(source.description).toMatch(/^[A-Z].*[^.]$/);
  });

  it('offers everything a workflow can be started by, sorted as n8n wants it', () => {
    const names = (parameter('triggerOn')?.options ?? []).map(({ name }) => name);
    expect(names).toHaveLength(Object.keys(CONDITIONS).length + 3);
    expect([...names].sort((left, right) => left.localeCompare(right))).toEqual(names);
    const options = (parameter('options')?.options ?? []).map((option) =>
      'displayName' in option ? option.displayName : '',
    );
    expect([...options].sort((left, right) => left.localeCompare(right))).toEqual(options);
  });

  it('can be activated as it is for every condition', () => {
    for (const name of Object.keys(CONDITIONS)) {
      const start = triggerNode({ parameters: { triggerOn: name }, credential });
      expect(NodeHelpers.getNodeParametersIssues(node.description.properties, start, node.description)).toBeNull();
    }
  });

  it('shows only the parameters that count', () => {
    const shown = (parameters: object) =>
      Object.keys(triggerNode({ parameters: { ...parameters }, credential }).parameters).filter(
        (name) => !['triggerOn', 'simplify', 'options'].includes(name),
      );
    expect(shown({ triggerOn: 'podCrashLoop' })).toEqual(['namespace']);
    expect(shown({ triggerOn: 'nodeNotReady' })).toEqual(['minutes']);
    expect(shown({ triggerOn: 'rolloutSlow' })).toEqual(['workload', 'namespace', 'minutes']);
    expect(shown({ triggerOn: 'certificateExpiring' })).toEqual(['namespace', 'days']);
    expect(shown({ triggerOn: 'event' })).toEqual(['namespace', 'eventType', 'objectKind', 'reason']);
    expect(shown({ triggerOn: 'component' })).toEqual(['namespace', 'dimensions']);
    expect(shown({ triggerOn: 'resource' })).toEqual(['resource', 'namespace', 'changes', 'modifiedWhen']);
    expect(shown({ triggerOn: 'resource', modifiedWhen: 'fields' })).toEqual([
      'resource',
      'namespace',
      'changes',
      'modifiedWhen',
      'fields',
    ]);
  });

  it('is tested by the function every node of the package has, and refers to lists that exist', () => {
    expect(node.description.credentials).toEqual([
      { name: 'navinKubernetesApi', required: true, testedBy: 'navinKubernetesApiTest' },
    ]);
    expect(Object.keys(node.methods.credentialTest)).toEqual(['navinKubernetesApiTest']);
    const modes = node.description.properties.flatMap((property) => property.modes ?? []);
    const methods = new Set(modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []));
    expect([...methods].sort()).toEqual(Object.keys(node.methods.listSearch).sort());
  });

  it('has its files beside it', () => {
    const { icon, name } = node.description;
    for (const file of Object.values(icon as Record<string, string>)) {
      expect(readFileSync(join(folder, file.replace('file:', '')), 'utf8')).toContain('viewBox="0 0 60 60"');
    }
    const codex = JSON.parse(readFileSync(join(folder, 'KubernetesTrigger.node.json'), 'utf8')) as { node: string };
    expect(codex.node).toBe(`@navin/n8n-nodes-kubernetes.${name}`);
    expect(existsSync(join(folder, 'run.ts'))).toBe(true);
  });
});

// Measures what a trigger stores: bytes for 300 and 5,000 objects of usual and of the longest names, with three fields of
// each, and how long writing and reading the largest takes. Prints one line of JSON.
import { RESOURCES, type KubeObject } from '../core/kube';
import { checkSettings, type CheckedSettings } from '../core/trigger';
import { runPass } from '../core/trigger/pass';
import { TriggerState } from '../core/trigger/state';
import { readState, writeState } from '../core/trigger/stateCodec';
import { median } from './measure';

const ROUNDS = 11;
/** Runs in one measurement: processor time is counted in steps of about a millisecond. */
const AT_ONCE = 10;
const NOW = Date.parse('2026-01-01T00:00:00Z');

function settingsFor(tracked: number): CheckedSettings {
  return checkSettings({
    resource: RESOURCES.deployments,
    namespaces: [],
    labelSelector: 'team=shop',
    watch: {
      kind: 'changes',
      types: ['added', 'modified', 'deleted'],
      modifiedWhen: 'fields',
      fields: ['spec.replicas', 'spec.paused', 'spec.template.spec.containers[name=web].image'],
    },
    tracked,
  });
}

/** Object number so and so; its namespace and name are filled up to so many characters. */
function deployment(index: number, long: boolean): KubeObject {
  const number = String(index).padStart(12, '0');
  const fill = (text: string, length: number): string => (long ? text.padEnd(length, 'x') : text);
  const image = `registry.example/shop/checkout-service:1.27.3-${number}`;
  return {
    metadata: {
      name: fill(`checkout-service-${index % 1000}`, 63),
      namespace: fill(`shop-production-${index % 7}`, 63),
      uid: `00000000-0000-4000-8000-${number}`,
      resourceVersion: String(123_000_000 + index),
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { replicas: 3, paused: false, template: { spec: { containers: [{ name: 'web', image }] } } },
  };
}

function stateOf(tracked: number, long: boolean): TriggerState {
  const settings = settingsFor(tracked);
  const { collection, scopes } = settings;
  const state = new TriggerState({ owner: 'owner', lineage: 'lineage', collection }, scopes, tracked);
  const items = Array.from({ length: tracked }, (_, index) => deployment(index, long));
  const context = { owner: { workflowId: 'bench', nodeId: 'bench' }, settings, now: NOW, wall: NOW };
  const pages = [{ items, version: '124000000', inconsistent: false }];
  return runPass(state, [{ kind: 'list', scope: '', pages }], context).state;
}

function sizeOf(tracked: number, long: boolean): { readonly bytes: number; readonly tracked: number } {
  const state = stateOf(tracked, long);
  return { bytes: Buffer.byteLength(JSON.stringify(writeState(state))), tracked: state.scope('').known.size };
}

/** Processor time of this thread, ms, median: other processes of a busy machine do not count. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage();
    for (let run = 0; run < AT_ONCE; run += 1) work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000 / AT_ONCE;
  });
  return median(times);
}

const large = stateOf(5000, false);
const stored: unknown = JSON.parse(JSON.stringify(writeState(large)));
console.log(
  JSON.stringify({
    usual300: sizeOf(300, false),
    longest300: sizeOf(300, true),
    usual5000: sizeOf(5000, false),
    longest5000: sizeOf(5000, true),
    writeMs: timeOf(() => writeState(large)),
    readMs: timeOf(() => readState(stored, 'owner', settingsFor(5000))),
  }),
);

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isNavinError, type NavinError } from '../../core/errors';
import { findBuiltIn, type KubeObject } from '../../core/kube';
import { faultClient } from '../../core/kube/testing/faultClient';
import { RESOURCE_DESCRIPTIONS } from '../../nodes/Kubernetes/actions';
import { RESOURCE_DESCRIPTIONS as COMPONENT_DESCRIPTIONS } from '../../nodes/NavinComponent/actions';
import type { OperationDescription } from '../../nodes/shared/operation';
import { isRead } from '../../nodes/shared/readOnly';
import { runSample } from '../../scripts/schemas/outputSchemas';
import { SAMPLES } from '../../scripts/schemas/samples';
import {
  type Behaviour,
  type Exchange,
  failure,
  FaultServer,
  json,
  type ReceivedRequest,
  reset,
  resetInBody,
  text,
} from '../faults';

/** Every operation that changes something: a new one belongs to them by its rights. */
const CHANGES = [...RESOURCE_DESCRIPTIONS, ...COMPONENT_DESCRIPTIONS]
  .flatMap(({ value: resource, operations }) =>
    operations.map((operation) => [`${resource}.${operation.value}`, resource, operation] as const),
  )
  .filter(([, , operation]) => !isRead(operation));

/** Objects that are not yet as the operations make them. */
const OBJECTS: Readonly<Record<string, KubeObject>> = {
  ...SAMPLES,
  configmaps: { ...SAMPLES.configmaps, metadata: { ...SAMPLES.configmaps?.metadata }, data: { color: 'red' } },
  cronjobs: { ...SAMPLES.cronjobs, metadata: { ...SAMPLES.cronjobs?.metadata }, spec: { suspend: true } },
  managedcomponents: {
    ...SAMPLES.managedcomponents,
    metadata: { ...SAMPLES.managedcomponents?.metadata },
    spec: { source: { chart: { path: 'web' } }, desiredState: 'Stopped' },
  },
  nodes: { ...SAMPLES.nodes, metadata: { ...SAMPLES.nodes?.metadata }, spec: { unschedulable: true } },
};
/** The operations that do something only then. */
const ON_OBJECTS: ReadonlySet<string> = new Set([
  'component.start',
  'configmap.removeKeys',
  'cronjob.resume',
  'node.uncordon',
]);

let objects: Readonly<Record<string, KubeObject>>;

let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start();
});
afterEach(async () => {
  await server.reset();
});
afterAll(async () => {
  await server.stop();
});

function isChange({ method, url, headers }: ReceivedRequest): boolean {
  return (method !== 'GET' && !url.includes('dryRun=All')) || headers.upgrade !== undefined;
}

/** What may become of a change on its way back. */
const LOSSES: readonly (readonly [string, Behaviour])[] = [
  ['the connection is cut after it was sent', reset()],
  ['the connection is cut in the middle of the answer', resetInBody('{"kind":"Sta', 201)],
  ['a gateway says that the connection behind it broke', text('upstream connect error or disconnect', 503)],
  ['a gateway gave up waiting', failure(504, 'Timeout', 'the server was unable to return a response in time')],
];

function read(exchange: Exchange): void | Promise<void> {
  const { pathname, searchParams } = new URL(exchange.request.url, server.url);
  const parts = pathname.split('/').filter((part) => part !== '');
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = '', name] = inNamespace ? rest.slice(2) : rest;
  const sample = objects[plural];
  const kind = sample?.kind ?? findBuiltIn(plural)?.kind;
  if (sample === undefined || kind === undefined) return failure(404, 'NotFound', 'no such path')(exchange);
  const object = { apiVersion: 'v1', kind, ...sample };
  const list = { apiVersion: 'v1', kind: `${kind}List`, metadata: { resourceVersion: '1' }, items: [object] };
  return json(name === undefined || searchParams.has('limit') ? list : object)(exchange);
}

async function failureOf(resource: string, operation: OperationDescription): Promise<NavinError> {
  const kind = resource === 'any' ? { kind: 'configmaps' } : {};
  try {
    const output = await runSample(faultClient(server).client, resource, operation, kind);
    if (output instanceof Promise) await output;
  } catch (error) {
    if (isNavinError(error)) return error;
    throw error;
  }
  throw new Error('it counts as done');
}

describe.each(LOSSES)('a change of which %s', (_what, lose) => {
  it.each(CHANGES)(
    '%s: is sent once, and the error says how to find out what became of it',
    async (name, resource, operation) => {
      objects = ON_OBJECTS.has(name) ? OBJECTS : SAMPLES;
      server.always((exchange) => (isChange(exchange.request) ? lose(exchange) : read(exchange)));
      const error = await failureOf(resource, operation);
      expect(error.code).toBe('k8s_outcome_unknown');
      expect(error.hint).toMatch(/before you repeat it|before you repeat the change|if it is gone|nobody has it/);
      expect(server.requests.filter(isChange)).toHaveLength(1);
    },
  );
});

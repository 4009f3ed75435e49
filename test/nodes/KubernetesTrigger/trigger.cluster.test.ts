import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, ITriggerResponse } from 'n8n-workflow';
import { KubernetesTrigger } from '../../../nodes/KubernetesTrigger/KubernetesTrigger.node';
import { BEHAVIOUR_LABEL } from '../../cluster';
import { credentialFor, deploymentManifest, podManifest, useTestCluster } from '../testing/cluster';
import { named } from '../testing/context';
import { jobManifest } from '../testing/jobs';
import { forgetProcess, triggerEditor, TriggerHost, type TriggerSetup } from '../testing/triggerHost';

const test = useTestCluster('trigger');
const active: ITriggerResponse[] = [];

beforeEach(() => {
  // The first look at once; a window as long as the interval watches without pause.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(active.splice(0).map(async ({ closeFunction }) => await closeFunction?.()));
});

const AT_ONCE = { interval: 15, window: 15 };

async function activate(host: TriggerHost, parameters: IDataObject): Promise<ITriggerResponse> {
  const { options = {}, ...rest } = parameters;
  const setup: TriggerSetup = {
    parameters: { ...rest, options: { ...AT_ONCE, ...(options as IDataObject) } },
    credential: test().credential,
  };
  const response = await host.activate(setup);
  active.push(response);
  return response;
}

function summary({ executions }: TriggerHost): string[] {
  return executions.flatMap(({ items }) => items.map(({ type, name }) => `${type as string} ${name as string}`));
}

/** ConfigMaps of the namespace of the test. */
function configMaps(): string {
  return `/api/v1/namespaces/${test().namespace}/configmaps`;
}

const configMap = (name: string, color: string, labels: IDataObject = {}): object => ({
  metadata: { name, labels },
  data: { color },
});

describe('a trigger on a resource', () => {
  it('tells exactly what happens after the activation: added, modified, deleted, in order', async () => {
    const { api } = test().cluster;
    await api.create(configMaps(), configMap('before', 'red'));
    const host = new TriggerHost();
    await activate(host, { triggerOn: 'resource', resource: named('cm') });

    await api.create(configMaps(), configMap('one', 'red'));
    await api.patch(`${configMaps()}/one`, { metadata: { labels: { seen: 'yes' } } });
    await api.patch(`${configMaps()}/before`, { data: { color: 'blue' } });
    await api.delete(`${configMaps()}/one`);

    const executions = await host.until(3);
    // A label is no part of what is wanted, so it starts nothing.
    expect(summary(host)).toEqual(['added one', 'modified before', 'deleted one']);
    expect(new Set(executions.map(({ key }) => key)).size).toBe(3);
    expect(executions[1]?.items[0]).toMatchObject({
      gap: false,
      cluster: test().cluster.server,
      resource: 'configmaps',
      kind: 'ConfigMap',
      namespace: test().namespace,
      object: { apiVersion: 'v1', kind: 'ConfigMap', data: { color: 'blue' } },
    });
  });

  it('tells of the chosen fields only, with their values before and after', async () => {
    const { api } = test().cluster;
    const deployments = `/apis/apps/v1/namespaces/${test().namespace}/deployments`;
    await api.create(deployments, deploymentManifest('web', 1));
    const host = new TriggerHost();
    const fields = {
      modifiedWhen: 'fields',
      fields: ['spec.replicas', 'spec.template.spec.containers[name=app].image'],
    };
    await activate(host, { triggerOn: 'resource', resource: named('Deployment'), changes: ['modified'], ...fields });

    await api.patch(`${deployments}/web`, { metadata: { annotations: { note: 'unseen' } } });
    await api.patch(`${deployments}/web`, { spec: { replicas: 2 } });

    const [started] = await host.until(1);
    expect(started?.items[0]).toMatchObject({
      type: 'modified',
      changed: [{ path: 'spec.replicas', previous: 1, current: 2 }],
      object: { name: 'web', replicas: 2, images: { app: 'nginx:1' } },
    });
    await api.delete(`${deployments}/web`);
  });

  it('takes custom resources, by labels, and goes on after a restart: nothing lost, nothing repeated', async () => {
    const { cluster, namespace } = test();
    const group = `${namespace}.example.com`;
    await cluster.apply(widgetDefinition(group));
    const widgets = `/apis/${group}/v1/namespaces/${namespace}/widgets`;
    await cluster.api.until(widgets, (list) => list !== undefined);
    const widget = (name: string, team = 'a'): object => ({
      apiVersion: `${group}/v1`,
      kind: 'Widget',
      metadata: { name, labels: { team } },
      spec: { size: 1 },
    });
    const parameters = {
      triggerOn: 'resource',
      resource: named(`Widget.${group}`),
      options: { labelSelector: 'team=a' },
    };
    const first = new TriggerHost();
    const { closeFunction } = await activate(first, parameters);
    await cluster.api.create(widgets, widget('one'));
    await cluster.api.create(widgets, widget('other-team', 'b'));
    await first.until(1);
    await closeFunction?.();

    // While n8n is down.
    await cluster.api.patch(`${widgets}/one`, { spec: { size: 2 } });
    await cluster.api.create(widgets, widget('two'));
    await cluster.api.delete(`${widgets}/two`);

    forgetProcess();
    const second = new TriggerHost({ workflowId: first.workflowId, saved: first.saved, rows: first.rows });
    await activate(second, parameters);
    await cluster.api.create(widgets, widget('three'));
    await second.until(4);
    expect(summary(first)).toEqual(['added one']);
    expect(summary(second)).toEqual(['modified one', 'added two', 'deleted two', 'added three']);
    expect(second.executions.map(({ items }) => items[0]?.gap)).toEqual([false, false, false, false]);
    await cluster.api.delete(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`);
  });

  it('tells everything that is there at first, where that is wanted, once', async () => {
    const { api } = test().cluster;
    const labels = { part: 'existing' };
    for (const name of ['a', 'b']) await api.create(configMaps(), configMap(`existing-${name}`, 'red', labels));
    const options = { emitExisting: true, labelSelector: 'part=existing' };
    const parameters = { triggerOn: 'resource', resource: named('configmaps'), options };
    const first = new TriggerHost();
    const { closeFunction } = await activate(first, parameters);
    await first.until(2);
    await api.create(configMaps(), configMap('existing-c', 'red', labels));
    await first.until(3);
    await closeFunction?.();
    expect(summary(first)).toEqual(['added existing-a', 'added existing-b', 'added existing-c']);
    expect(first.executions.map(({ items }) => items[0]?.existing)).toEqual([true, true, undefined]);

    forgetProcess();
    const second = new TriggerHost({ workflowId: first.workflowId, saved: first.saved, rows: first.rows });
    await activate(second, parameters);
    await api.create(configMaps(), configMap('existing-d', 'red', labels));
    await second.until(1);
    expect(summary(second)).toEqual(['added existing-d']);
  });
});

describe('a trigger on Events', () => {
  it('tells of Warnings, each once, and not of what is normal', async () => {
    const { cluster, namespace } = test();
    const host = new TriggerHost();
    await activate(host, { triggerOn: 'event', objectKind: 'Pod', reason: 'BackOff' });
    const report = async (name: string, type: string, reason: string): Promise<unknown> =>
      await cluster.api.create(`/api/v1/namespaces/${namespace}/events`, {
        metadata: { name },
        involvedObject: { kind: 'Pod', name: 'web', namespace },
        type,
        reason,
        message: 'Back-off restarting failed container',
        count: 1,
      });
    await report('normal', 'Normal', 'BackOff');
    await report('other', 'Warning', 'Killing');
    await report('first', 'Warning', 'BackOff');
    await cluster.api.patch(`/api/v1/namespaces/${namespace}/events/first`, { count: 2 });
    await report('second', 'Warning', 'BackOff');

    await host.until(2);
    expect(summary(host)).toEqual(['added first', 'added second']);
    expect(host.executions[0]?.items[0]?.object).toMatchObject({
      reason: 'BackOff',
      object: 'Pod/web',
      type: 'Warning',
    });
  });
});

describe('a ready-made condition', () => {
  it('tells of a pod that crash-loops once, whatever its pod does then', async () => {
    const { cluster, namespace } = test();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const host = new TriggerHost();
    await activate(host, { triggerOn: 'podCrashLoop' });
    await cluster.api.create(pods, podManifest('healthy'));
    await cluster.api.create(pods, podManifest('broken', {}, { [BEHAVIOUR_LABEL]: 'failing' }));

    const [started] = await host.until(1);
    expect(started?.items[0]).toMatchObject({
      type: 'started',
      name: 'broken',
      incident: { condition: 'podCrashLoop', slot: 'app', facts: { container: 'app', exitCode: 1 } },
      object: { name: 'broken', status: 'CrashLoopBackOff' },
    });
    // It crashes again and again: the sample of the editor shows the same, and the incident is still one.
    await cluster.api.until<{ status: { containerStatuses: ContainerStatus[] } }>(`${pods}/broken`, (pod) => {
      const [container] = pod?.status.containerStatuses ?? [];
      return (container?.restartCount ?? 0) >= 2 && container?.state.waiting !== undefined;
    });
    const [sample] = await host.sample({ parameters: { triggerOn: 'podCrashLoop' }, credential: test().credential });
    expect(sample).toMatchObject({ sample: true, name: 'broken', incident: { condition: 'podCrashLoop' } });
    expect(host.executions).toHaveLength(1);
    await cluster.api.delete(`${pods}/broken`);
  });

  it('tells of a Job that failed and of one that completed', async () => {
    const { cluster, namespace } = test();
    const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const hosts = { failed: new TriggerHost(), completed: new TriggerHost() };
    await activate(hosts.failed, { triggerOn: 'jobFailed' });
    await activate(hosts.completed, { triggerOn: 'jobCompleted' });
    await cluster.api.create(jobs, jobManifest('good', 'busybox:fast'));
    const labels = { [BEHAVIOUR_LABEL]: 'failing' };
    const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:bad' }] };
    await cluster.api.create(jobs, jobManifest('bad', 'busybox:bad', { template: { metadata: { labels }, spec } }));

    await Promise.all([hosts.failed.until(1), hosts.completed.until(1)]);
    expect([summary(hosts.failed), summary(hosts.completed)]).toEqual([['started bad'], ['started good']]);
    expect(hosts.failed.executions[0]?.items[0]?.incident).toMatchObject({ facts: { reason: 'BackoffLimitExceeded' } });
  });
});

describe('what the cluster refuses', () => {
  const watching = (resource: string, options: IDataObject = {}): IDataObject => ({
    triggerOn: 'resource',
    resource: named(resource),
    options: { ...AT_ONCE, ...options },
  });

  it.each<[string, IDataObject, RegExp, string]>([
    [
      'a kind it does not serve',
      watching('deploymets'),
      /serves no resource "deploymets".*Did you mean "deployments.apps"/,
      'k8s_not_found',
    ],
    [
      'a label selector',
      watching('pods', { labelSelector: 'app in (' }),
      /refuses to list pods .*Check the selectors/,
      'k8s_parameter_invalid',
    ],
    [
      'a field that cannot be selected by',
      watching('pods', { fieldSelector: 'spec.color=red' }),
      /field label not supported: spec\.color/,
      'k8s_parameter_invalid',
    ],
    [
      'a kind that cannot be watched',
      watching('componentstatuses'),
      /cannot be watched: the API server offers no watch/,
      'k8s_unsupported',
    ],
  ])('is said at the activation: %s', async (_name, parameters, message, code) => {
    const setup = { parameters, credential: test().credential };
    await expect(new TriggerHost().activate(setup)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      context: { code },
    });
  });

  it('is said at the activation: the token', async () => {
    const setup = { parameters: watching('pods'), credential: { ...test().credential, token: 'not-a-token' } };
    await expect(new TriggerHost().activate(setup)).rejects.toMatchObject({
      httpCode: '401',
      message: expect.stringContaining('Make a new token or certificate'),
      context: { code: 'k8s_unauthorized' },
    });
  });

  it('is said at the activation: all namespaces to a credential of one, with both ways out', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...watching('pods'), namespace: named('*') };
    await expect(new TriggerHost().activate({ parameters, credential })).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `Missing: list pods in all namespaces; watch pods in all namespaces\\. It may watch the namespace "${namespace}"[^]*kind: ClusterRole[^]*verbs: \\[list, watch\\]`,
        ),
      ),
      context: { code: 'k8s_forbidden' },
    });
  });
});

describe('the list of resources in the editor', () => {
  it('holds what can be watched, custom resources included, and nothing else', async () => {
    const { searchResources } = new KubernetesTrigger().methods.listSearch;
    const { results } = await searchResources.call(triggerEditor(test().credential));
    expect(results).toContainEqual({ name: 'Deployment (apps)', value: 'deployments.apps' });
    expect(results).toContainEqual({ name: 'ConfigMap', value: 'configmaps' });
    expect(results.map(({ value }) => value)).not.toContain('selfsubjectaccessreviews.authorization.k8s.io');
    const filtered = await searchResources.call(triggerEditor(test().credential), 'stateful');
    expect(filtered.results).toEqual([{ name: 'StatefulSet (apps)', value: 'statefulsets.apps' }]);
  });
});

interface ContainerStatus {
  readonly restartCount: number;
  readonly state: { readonly waiting?: object };
}

function widgetDefinition(group: string): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
            },
          },
        },
      ],
    },
  });
}

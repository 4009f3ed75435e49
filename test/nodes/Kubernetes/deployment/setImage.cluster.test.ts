import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('deploy-image');
const PAIR = {
  containers: [
    { name: 'app', image: 'nginx:1' },
    { name: 'proxy', image: 'envoy:1' },
  ],
  initContainers: [{ name: 'migrate', image: 'flyway:1' }],
};

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.api.create(deployments, deploymentManifest('web', 1));
  await cluster.api.create(deployments, deploymentManifest('pair', 1, {}, PAIR));
  await cluster.api.create(deployments, deploymentManifest('paused', 1, { paused: true }));
});

const PARAMETERS = { resource: 'deployment', operation: 'setImage', image: 'nginx:2' };

async function podSpecOf(name: string): Promise<Record<string, { name: string; image: string }[]>> {
  const { cluster, namespace } = test();
  const deployment = await cluster.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
  return (deployment.spec as { template: { spec: Record<string, { name: string; image: string }[]> } }).template.spec;
}

describe('Deployment: Set Image', () => {
  it('sets the image of the only container', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('web') };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      {
        name: 'web',
        container: 'app',
        image: 'nginx:2',
        previousImage: 'nginx:1',
        changed: true,
        images: { app: 'nginx:2' },
      },
    ]);
    expect(await outputOf({ credential, parameters })).toMatchObject([{ changed: false, previousImage: 'nginx:2' }]);
  });

  it('sets the image of the container that is named and leaves the others', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('pair'), container: named('proxy'), image: ' envoy:2 ' };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { images: { app: 'nginx:1', proxy: 'envoy:2' } },
    ]);
  });

  // kubectl#503; kubernetes PR#72276
  it('sets the image of an init container', async () => {
    const { credential } = test();
    const options = { initContainer: true };
    await execute({ credential, parameters: { ...PARAMETERS, name: named('pair'), image: 'flyway:2', options } });
    expect((await podSpecOf('pair')).initContainers).toMatchObject([{ name: 'migrate', image: 'flyway:2' }]);
  });

  // kubectl#503; kubernetes PR#72276
  it.each([
    [
      'is not there',
      { container: named('db') },
      "'Container' is not a container of this Deployment; it has: app, proxy",
    ],
    ['is not chosen', {}, "'Container' is not chosen, and there are several; it has: app, proxy"],
    [
      'is an init container and the option is not set',
      { container: named('migrate') },
      "'Container' is not a container of this Deployment; it has: app, proxy",
    ],
    [
      'is no init container',
      { container: named('app'), options: { initContainer: true } },
      "'Container' is not an init container of this Deployment; it has: migrate",
    ],
  ])('names the containers when the given one %s', async (_what, chosen, message) => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('pair'), ...chosen };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message,
      context: { itemIndex: 0, code: 'k8s_parameter_invalid' },
    });
  });

  it('says that there is no init container at all', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('web'), options: { initContainer: true } };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'This Deployment has no init container',
    });
  });

  it('says that a paused deployment rolls out later', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named('paused') } })).toMatchObject([
      { warning: 'it is paused: the image rolls out when it is resumed', images: { app: 'nginx:2' } },
    ]);
  });

  it.each(['', '   ', 'nginx: 2', 'nginx:2\nevil'])('refuses the image %j', async (image) => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('web'), image };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: expect.stringMatching(/^'Image' (is empty|must not contain spaces or line breaks)$/),
    });
  });
});

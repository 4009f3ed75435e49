import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ComponentSpec } from '../../core/components';
import { RESOURCES } from '../../core/kube';
import { BEHAVIOUR_LABEL } from '../cluster';
import { sharedCluster } from '../cluster/jest';
import { Scene } from './scene';
import { makeVolumes, STORAGE_CLASS } from './storage';

const cluster = sharedCluster();
const NEEDLE = 'correct-horse-battery-staple';
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open(cluster(), 'lives', { needles: [NEEDLE] });
  await makeVolumes(cluster(), scene.namespace, 6);
  const data = { password: Buffer.from(NEEDLE).toString('base64') };
  await scene.client.create(
    RESOURCES.secrets,
    {},
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'access' }, data },
  );
}, 600_000);

// Whatever a test looks at: the watcher has seen everything.
afterEach(async () => {
  await scene.verdict();
}, 60_000);

afterAll(async () => {
  await scene.close();
}, 60_000);

/** A chart, what is asked of it, and what its life changes. */
interface Life {
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly spec: ComponentSpec;
  /** Values of the second configuration. */
  readonly values: Readonly<Record<string, unknown>>;
}

const STORE = { storage: { className: STORAGE_CLASS }, podLabels: { [BEHAVIOUR_LABEL]: 'steady' } };

const LIVES: readonly Life[] = [
  {
    name: 'web',
    kind: 'Deployment',
    spec: { source: { chart: { path: 'web' } }, pdb: { minAvailable: 2 }, replicas: 3 },
    values: { greeting: 'Good evening' },
  },
  {
    name: 'store',
    kind: 'StatefulSet',
    spec: {
      source: { chart: { path: 'store' } },
      values: STORE,
      secretRefs: [{ secretName: 'access', key: 'password', valuePath: 'existingSecret' }],
      pdb: { maxUnavailable: 1 },
      replicas: 3,
    },
    values: { ...STORE, resources: { requests: { cpu: '60m' } } },
  },
  {
    name: 'shop',
    kind: 'Deployment',
    spec: {
      source: { chart: { path: 'shop' } },
      scaleTarget: { kind: 'Deployment', name: 'shop' },
      pdb: { minAvailable: '50%' },
      replicas: 3,
    },
    values: { cache: { memory: '128Mi' } },
  },
];

describe.each(LIVES)('a component of the chart $name', ({ name, kind, spec, values }) => {
  it('lives its life within its budget, and its status says what is', async () => {
    await scene.create(name, spec);
    expect(await scene.done(name, 'install')).toMatchObject({
      state: 'started',
      health: 'ok',
      securityState: 'compliant',
    });
    await scene.write(name, { replicas: 5 });
    await scene.done(name, 'scale');
    expect(await scene.replicas(kind, name)).toBe(5);
    await scene.write(name, { replicas: 3 });
    await scene.done(name, 'scale');

    await scene.write(name, { replicas: null, autoscaling: { minReplicas: 2, maxReplicas: 6 } });
    await scene.done(name, 'scale');
    expect(await scene.replicas(kind, name)).toBe(3);
    await scene.write(name, { replicas: 3, autoscaling: null });
    await scene.done(name, 'scale');

    await scene.write(name, { restartRequestedAt: '2026-01-01T10:00:00Z' });
    await scene.done(name, 'restart');

    await scene.write(name, { maintenance: true });
    await scene.done(name, 'maintenance');
    const refused: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
      [{ desiredState: 'Stopped' }, { desiredState: null }],
      [{ restartRequestedAt: '2026-01-01T11:00:00Z' }, { restartRequestedAt: '2026-01-01T10:00:00Z' }],
      [{ replicas: 2 }, { replicas: 3 }],
      [{ values }, { values: spec.values ?? null }],
    ];
    for (const [change, back] of refused) {
      await scene.write(name, change);
      expect(await scene.stuck(name, 'blocked', 'MaintenanceActive')).toMatchObject({ state: 'started', health: 'ok' });
      await scene.write(name, back);
      await scene.until(name, 'taken back', ({ converged }) => converged === true);
    }
    await scene.write(name, { replicas: 4 });
    await scene.done(name, 'scale');
    expect(await scene.replicas(kind, name)).toBe(4);
    await scene.write(name, { maintenance: false });
    await scene.done(name, 'maintenance');

    await scene.write(name, { values });
    await scene.done(name, 'configure');
    await scene.write(name, { desiredState: 'Stopped' });
    expect(await scene.done(name, 'stop')).toMatchObject({ state: 'stopped', health: 'ok' });
    expect(await scene.replicas(kind, name)).toBe(0);
    await scene.write(name, { desiredState: 'Running' });
    expect(await scene.done(name, 'start')).toMatchObject({ state: 'started', health: 'ok' });
    await scene.write(name, { maintenance: true });
    await scene.done(name, 'maintenance');
    await scene.delete(name);
    await scene.until(name, 'a removal that waits', ({ operation }) => operation?.reason === 'MaintenanceActive');
    await scene.write(name, { maintenance: false });
    await scene.gone(name);

    const { judged } = await scene.verdict();
    // The budget was looked at, and so were the claims.
    expect(judged.fewest.get(`${name} ${kind}/${name}`)).toMatchObject({ required: 2 });
    expect(judged.claims.converged).toBeGreaterThan(10);
  }, 120_000);
});

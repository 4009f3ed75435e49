import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { KubeApiError, RESOURCES, type KubeObject } from '../kube';
import { writeStatus, type StatusMeans } from './status';
import { FakeClock } from './testing/fakeClock';

/** An object whose status cannot be written as often as there are faults. */
class Target {
  object: KubeObject = { kind: 'Job', metadata: { name: 'j', namespace: 'shop', uid: 'u1', resourceVersion: '1' } };
  calls: string[] = [];
  constructor(private readonly faults: unknown[]) {}

  get(): Promise<KubeObject> {
    this.calls.push('get');
    return Promise.resolve(this.object);
  }

  replace(
    _: unknown,
    { subresource }: { readonly subresource?: string | undefined },
    body: object,
  ): Promise<KubeObject> {
    this.calls.push(`put ${subresource ?? ''}`);
    const fault = this.faults.shift();
    if (fault instanceof Error) return Promise.reject(fault);
    this.object = body as KubeObject;
    return Promise.resolve(this.object);
  }
}

const conflict = new KubeApiError('k8s_conflict', 'changed', { httpStatus: 409 });

function world(...faults: unknown[]): { readonly target: Target; readonly means: StatusMeans } {
  const target = new Target(faults);
  return { target, means: { client: target, clock: new FakeClock(), random: () => 0 } };
}

describe('a status that cannot be written', () => {
  it('because of conflicts or a lost answer is made anew from what is there', async () => {
    const { target, means } = world(conflict, new NavinError('k8s_outcome_unknown', 'who knows'));
    let made = 0;
    const written = await writeStatus(means, RESOURCES.jobs, target.object, () => ({ made: (made += 1) }));
    expect(written?.status).toEqual({ made: 3 });
    expect(target.calls).toEqual(['put status', 'get', 'put status', 'get', 'put status']);
  });

  it('for ever because of conflicts is given up after six tries', async () => {
    const { target, means } = world(...Array<unknown>(20).fill(conflict));
    await expect(writeStatus(means, RESOURCES.jobs, target.object, () => ({ x: 1 }))).rejects.toBe(conflict);
    expect(target.calls.filter((call) => call === 'put status').length).toBe(6);
  });

  it('because of another error is not tried again', async () => {
    const forbidden = new KubeApiError('k8s_forbidden', 'no', { httpStatus: 403 });
    const { target, means } = world(forbidden);
    await expect(writeStatus(means, RESOURCES.jobs, target.object, () => ({ x: 1 }))).rejects.toBe(forbidden);
    expect(target.calls).toEqual(['put status']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlace } from './place';

const IN_CLUSTER = { KUBERNETES_SERVICE_HOST: '10.96.0.1' };

describe('where the program runs', () => {
  it('is outside of a cluster unless Kubernetes says otherwise', async () => {
    expect(await readPlace({})).toEqual({ inCluster: false });
    expect(await readPlace({ KUBERNETES_SERVICE_HOST: '' })).toEqual({ inCluster: false });
  });

  it.each([
    ['navin-system\n', 'navin-system'],
    ['../../etc', undefined],
    ['', undefined],
  ])('is the namespace of the Pod: %j', async (text, namespace) => {
    const folder = mkdtempSync(join(tmpdir(), 'navin-place-'));
    writeFileSync(join(folder, 'namespace'), text);
    expect(await readPlace(IN_CLUSTER, folder)).toEqual({ inCluster: true, namespace });
    rmSync(folder, { recursive: true });
  });

  it('is a cluster without files, where no token is mounted', async () => {
    expect(await readPlace(IN_CLUSTER, join(tmpdir(), 'navin-no-such-folder'))).toEqual({ inCluster: true });
  });
});

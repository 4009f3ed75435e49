import { describe, expect, it } from '@jest/globals';
import { chartYaml, packed } from '../testing/packedChart';
import { chartOfArchive } from './chart';
import { ChartStore } from './chartStore';

describe('a chart of a registry', () => {
  it('is fetched once, also when two components ask for it at once', async () => {
    const asked: string[] = [];
    const registry = {
      fetch: (ref: string) => {
        asked.push(ref);
        return chartOfArchive(packed({ 'Chart.yaml': chartYaml() }));
      },
    };
    const store = new ChartStore({ chartsDir: '/nowhere', registry });
    const source = { oci: { ref: 'oci://a/b@sha256:…' } };
    const [first, second] = await Promise.all([store.chart(source), store.chart(source)]);
    expect(second).toBe(first);
    expect(await store.chart(source)).toBe(first);
    expect(asked).toEqual(['oci://a/b@sha256:…']);
  });

  it('is asked for again after a failure', async () => {
    let times = 0;
    const registry = {
      fetch: () => {
        times += 1;
        if (times === 1) return Promise.reject(new Error('down'));
        return chartOfArchive(packed({ 'Chart.yaml': chartYaml() }));
      },
    };
    const store = new ChartStore({ chartsDir: '/nowhere', registry });
    const source = { oci: { ref: 'oci://a/b@sha256:…' } };
    await expect(store.chart(source)).rejects.toThrow('down');
    await expect(store.chart(source)).resolves.toMatchObject({ name: 'web' });
  });
});

import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../cluster';
import type { ExecutionRow, StoredWorkflow } from '../n8n';
import { AT_ONCE, configMapIn, NO_ITEM, triggered } from '../triggered';
import { byName, SHOP, type World } from '../world';

/** Longest that the executions may take. The machine may be busy. */
const TIMEOUT_MS = 180_000;
const START_TIMEOUT_MS = 200_000;

/** The trigger where n8n's main process watches and a worker runs the executions. */
export function queue(world: () => World): void {
  beforeAll(async () => {
    await world().n8n.startWorker();
  }, START_TIMEOUT_MS);

  const publish = async (part: string): Promise<StoredWorkflow> => {
    const workflow = triggered(world(), part, {
      triggerOn: 'resource',
      resource: byName('configmaps'),
      changes: ['added'],
      options: { ...AT_ONCE, labelSelector: `part=${part}` },
    });
    const stored = await world().n8n.addWorkflow(workflow);
    await world().n8n.publish(stored);
    return stored;
  };

  const create = async (part: string, numbers: readonly number[]): Promise<readonly string[]> => {
    const names = numbers.map((number) => `${part}-${String(number).padStart(2, '0')}`);
    const path = `/api/v1/namespaces/${SHOP}/configmaps`;
    for (const name of names) await world().cluster.api.create(path, { metadata: { name, labels: { part } } });
    return names;
  };

  /** The rows of a workflow when there are so many, and none of them has anything to come. */
  const until = async (workflow: StoredWorkflow, count: number): Promise<readonly ExecutionRow[]> => {
    let rows: readonly ExecutionRow[] = [];
    const look = async (): Promise<boolean> => {
      rows = await world().n8n.executionsOf(workflow);
      return rows.length >= count && rows.every(({ status }) => status !== 'new' && status !== 'running');
    };
    await eventually(look, `${count} executions`, TIMEOUT_MS, () => JSON.stringify(rows));
    return rows;
  };

  /** What each execution was started for, and how it went. */
  const lines = async (rows: readonly ExecutionRow[]): Promise<readonly { name: string; status: string }[]> => {
    const { n8n } = world();
    const all = rows.map(async ({ id, status }) => ({ name: configMapIn(await n8n.storedExecution(id)).name, status }));
    return (await Promise.all(all)).sort((left, right) => left.name.localeCompare(right.name));
  };

  /** The executions that the worker began, one entry each time. */
  const begunByWorker = (rows: readonly ExecutionRow[]): readonly string[] => {
    const ids = new Set(rows.map(({ id }) => id));
    const begun = world()
      .n8n.workerLog()
      .matchAll(/Worker started execution (\d+) /g);
    return [...begun].map(([, id = '']) => id).filter((id) => ids.has(id));
  };

  it('has each event run once, by the worker', async () => {
    const workflow = await publish('each');
    const created = await create('each', [1, 2, 3, 4, 5]);

    const rows = await until(workflow, 5);
    expect(await lines(rows)).toEqual(created.map((name) => ({ name, status: 'success' })));
    expect([...begunByWorker(rows)].sort()).toEqual(rows.map(({ id }) => id).sort());
    await world().n8n.unpublish(workflow);
  });

  it('gives each event exactly one row when the main process is killed in a burst', async () => {
    const workflow = await publish('burst');
    const created = await create(
      'burst',
      Array.from({ length: 40 }, (_, index) => index),
    );
    const some = async (): Promise<boolean> => (await world().n8n.executionsOf(workflow)).length >= 10;
    await eventually(some, 'the first rows', TIMEOUT_MS);
    await world().n8n.kill();
    await world().n8n.startAgain();
    const last = await create('burst', [99]);

    const rows = await until(workflow, 41);
    const seen = await lines(rows);
    expect(seen).toHaveLength(41);
    expect(seen.filter(({ status }) => status !== 'crashed' && status !== 'success')).toEqual([]);
    // At its start n8n amends what it takes for broken off, also while the worker has it: such a row may lose its item.
    const named = seen.filter(({ name, status }) => status !== 'crashed' || name !== NO_ITEM).map(({ name }) => name);
    expect(named).toEqual([...new Set(named)]);
    expect([...created, ...last]).toEqual(expect.arrayContaining(named));
    const begun = begunByWorker(rows);
    expect(begun).toHaveLength(new Set(begun).size);
    await world().n8n.unpublish(workflow);
  });
}

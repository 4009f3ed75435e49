import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadAll } from 'js-yaml';
import { findBrowser, openWindow, type Window } from '../browser';
import { Editor } from '../editor';
import { exampleWorkflow } from '../exampleFiles';
import { SHOP, type World } from '../world';

const IMAGES = resolve(__dirname, '../../../docs/images');
const TEST_TIMEOUT_MS = 300_000;

/** The editor in a real browser; skipped, and said so, where there is none. */
export function browser(world: () => World): void {
  const path = findBrowser();
  const title = 'the editor in a browser';
  // jest names skipped tests only when it runs a single file.
  if (path === undefined)
    process.stderr.write(`SKIPPED: ${title}: no Chromium or Chrome here; CHROME_PATH may name one.\n`);

  (path === undefined ? describe.skip : describe)(title, () => {
    let window: Window;
    let editor: Editor;

    beforeAll(async () => {
      window = await openWindow(path ?? '');
      editor = new Editor(window.page, world().n8n.url);
      await editor.signIn(world().n8n.owner);
    }, TEST_TIMEOUT_MS);
    afterAll(async () => {
      await window.close();
    });

    it(
      'adds the node from the panel, picks a pod from the list and executes it',
      async () => {
        const pods = await world().cluster.api.items(`/api/v1/namespaces/${SHOP}/pods`);
        const wanted = pods.map(({ metadata }) => metadata.name).find((name) => name.startsWith('api-')) ?? '';

        await editor.newWorkflow();
        const actions = await editor.addNode('Kubernetes', 'Get pod');
        expect(actions).toEqual(
          expect.arrayContaining(['On pod crash loop', 'Get many pods', 'Restart deployment', 'Create job']),
        );

        expect(await editor.pick('namespace', SHOP, 'sho')).toEqual([SHOP]);
        const listed = await editor.pick('name', wanted, 'api-');
        expect(listed).toHaveLength(2);
        expect(await editor.chosen('name')).toBe(wanted);

        const output = await editor.executeStep(wanted);
        expect(output).toContain('1 item');
        expect(output).toContain(wanted);
        await screenshot('node');
        await editor.closeNode();
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'refuses a change where the node is read only, and shows what to do',
      async () => {
        const { api } = world().cluster;
        const path = `/api/v1/namespaces/${SHOP}/pods`;
        const [pod] = await api.items(`${path}?labelSelector=app.kubernetes.io/name=api`);
        const name = pod?.metadata.name ?? '';

        await editor.newWorkflow();
        await editor.addNode('Kubernetes', 'Delete pod');
        await editor.pick('namespace', SHOP, 'sho');
        await editor.pick('name', name, 'api-');
        await editor.switchOn('Read Only');

        expect(await editor.executeFailingStep()).toEqual({
          message: "'Delete pod' can change the cluster, and the node is read only",
          description: expect.stringMatching(
            /^Choose an operation that only reads, [^]*Code: k8s_read_only/,
          ) as unknown,
        });
        await screenshot('read-only');
        expect((await api.get(`${path}/${name}`)).metadata).toMatchObject({ uid: pod?.metadata.uid });
        await editor.closeNode();
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'shows the Role that adds a missing right as it can be copied',
      async () => {
        await editor.newWorkflow();
        await editor.addNode('Kubernetes', 'Get many secrets');

        await editor.executeFailingStep();
        const copied = await editor.copyDescription();
        const yaml = /apiVersion[^]*(?=Code: k8s_forbidden)/.exec(copied)?.[0] ?? '';
        expect(loadAll(yaml)).toMatchObject([
          { kind: 'Role', rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }] },
        ]);
        await editor.closeNode();
      },
      TEST_TIMEOUT_MS,
    );

    it(
      'runs an imported example to its end',
      async () => {
        const workflow = await world().n8n.addWorkflow(exampleWorkflow('restart-and-wait.json'));

        await editor.open(workflow.id);
        await editor.executeWorkflow();
        expect(await editor.statuses()).toEqual({ success: 5 });
        await screenshot('workflow');
      },
      TEST_TIMEOUT_MS,
    );

    /** For the README, when asked for: a test run does not change the work tree. */
    async function screenshot(name: string): Promise<void> {
      if (process.env.NAVIN_SCREENSHOTS !== '1') return;
      mkdirSync(IMAGES, { recursive: true });
      await editor.page.mouse.move(0, 0);
      await editor.page.screenshot({ path: join(IMAGES, `${name}.png`) });
    }
  });
}

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBrowser, openWindow, type Window } from '../browser';
import { Editor } from '../editor';
import { exampleWorkflow, triggerOf, withFields } from '../exampleFiles';
import { CREDENTIAL_TYPE, type CredentialReference, kubeconfigCredential, type StoredWorkflow } from '../n8n';
import type { Platform } from '../platform';
import { commandsOf, Terminal, withoutAges } from '../tutorialPage';

const IMAGES = resolve(__dirname, '../../../docs/images');
/** What the credential is called, and where the page says so. */
const NAME = 'Maintenance account';

/** docs/tutorial.md: its commands are run in their order, its pictures are taken on the way. */
export function tutorial(platform: () => Platform): void {
  const browser = findBrowser();
  // jest names skipped tests only when it runs a single file.
  if (browser === undefined) {
    process.stderr.write(
      'SKIPPED: the tutorial in the editor: no Chromium or Chrome here; CHROME_PATH may name one.\n',
    );
  }
  let terminal: Terminal;
  let credential: CredentialReference;
  let nightly: StoredWorkflow;
  let window: Window | undefined;
  let editor: Editor | undefined;

  describe('the tutorial', () => {
    beforeAll(async () => {
      const { cluster, n8n } = platform();
      terminal = new Terminal({ kubectl: cluster.facts.kubectl, kubeconfig: cluster.adminKubeconfigPath });
      if (browser === undefined) return;
      window = await openWindow(browser);
      editor = new Editor(window.page, n8n.url);
      await editor.signIn(n8n.owner);
    });
    afterAll(async () => {
      await window?.close();
      await terminal.close();
    });

    it('makes an account and its kubeconfig', async () => {
      await enter('1.');
      await enter('2.');
    });

    it('makes a credential whose rights are there', async () => {
      const { n8n } = platform();
      const [printed = ''] = await enter('3.');
      const [server = '', ...kubeconfig] = printed.split('\n');
      const data = { ...kubeconfigCredential(server, kubeconfig.join('\n')), rightsToCheck: ['components'] };

      credential = await n8n.addCredential(NAME, CREDENTIAL_TYPE, data);
      const asked = { credentials: { ...credential, type: CREDENTIAL_TYPE, data } };
      expect(await n8n.rest('POST', '/rest/credentials/test', asked)).toMatchObject({ status: 'OK' });

      await editor?.openCredential(credential.id ?? '');
      await screenshot('credential');
    });

    (browser === undefined ? it.skip : it)('shows a component', async () => {
      if (editor === undefined) throw new Error('there is no window');
      await editor.newWorkflow();
      const actions = await editor.addNode('Navin Component', 'Get component');
      expect(actions).toEqual(expect.arrayContaining(['Install component', 'Rolling restart component']));
      await editor.chooseCredential(NAME);
      expect(await editor.pick('name', 'storefront')).toEqual(['shop', 'storefront']);
      expect(await editor.executeStep('storefront')).toContain('compliant');
      await editor.showJson('"compliant"');
      await screenshot('component');
      await editor.closeNode();
    });

    it('restarts it', async () => {
      const [label, confirmed] = commandsOf('5.');
      await enterOne(label);
      const example = exampleWorkflow('nightly-rolling-restart.json');
      const chosen = example.nodes.map((node) =>
        node.credentials === undefined ? node : { ...node, credentials: { [CREDENTIAL_TYPE]: credential } },
      );
      expect(chosen.filter((node) => node.credentials !== undefined)).toHaveLength(4);
      const day = { windowStart: '00:00', windowEnd: '24:00' };
      nightly = await platform().n8n.addWorkflow(withFields({ ...example, nodes: chosen }, 'What to Restart', day));

      expect(await execute('restart')).toEqual([
        {
          summary: expect.stringMatching(/^navin-platform\/storefront: restarted in \d+ s, ok$/),
          outcome: 'restarted',
        },
      ]);
      await enterOne(confirmed);
    });

    it('leaves it alone in maintenance', async () => {
      const [on, off] = commandsOf('6.');
      await enterOne(on);
      const summary = 'storefront: left alone, it is in maintenance';
      expect(await execute('left-alone')).toEqual([{ summary, outcome: 'left alone' }]);
      await enterOne(off);
    });

    it('takes the account away', async () => {
      await enter('What next');
    });
  });

  /** Runs the commands of a section. @returns what each block printed */
  async function enter(section: string): Promise<readonly string[]> {
    const blocks = commandsOf(section);
    expect(blocks.length).toBeGreaterThan(0);
    const printed: string[] = [];
    for (const block of blocks) printed.push(await enterOne(block));
    return printed;
  }

  async function enterOne(block: ReturnType<typeof commandsOf>[number] | undefined): Promise<string> {
    if (block === undefined) throw new Error('docs/tutorial.md has no such commands');
    const printed = await terminal.enter(block.commands);
    if (block.printed !== undefined) expect(withoutAges(printed)).toBe(withoutAges(block.printed));
    return printed;
  }

  /** Executes the workflow: in the editor, where there is a browser. @returns the items of its report */
  async function execute(image: string): Promise<readonly unknown[]> {
    const { n8n } = platform();
    if (editor === undefined) return reportOf(await n8n.run(nightly, triggerOf(nightly)));
    await editor.open(nightly.id);
    await editor.executeWorkflow();
    await screenshot(image);
    const last = (await n8n.executionsOf(nightly)).at(-1);
    return reportOf(await n8n.finished(last?.id ?? ''));
  }

  function reportOf(execution: Awaited<ReturnType<Platform['n8n']['finished']>>): readonly unknown[] {
    expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
    return execution.items('Report').map(({ json }) => json);
  }

  /** For the page, when asked for: a test run does not change the work tree. */
  async function screenshot(name: string): Promise<void> {
    if (editor === undefined || process.env.NAVIN_SCREENSHOTS !== '1') return;
    mkdirSync(IMAGES, { recursive: true });
    await editor.page.mouse.move(0, 0);
    await editor.page.screenshot({ path: join(IMAGES, `tutorial-${name}.png`) });
  }
}

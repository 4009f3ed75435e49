import { selectors, type Page } from 'playwright-core';
import type { Owner } from './rest';

/** How n8n marks the parts of its editor for tests. */
selectors.setTestIdAttribute('data-test-id');

/** Longest that one step in the editor may take, in milliseconds. */
const STEP_TIMEOUT_MS = 60_000;

/** n8n's editor in a browser, as a person uses it. */
export class Editor {
  constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    // The editor asks before it is left while its last change is not stored yet.
    page.on('dialog', (dialog) => void dialog.accept());
  }

  /** Signs in by the form. */
  async signIn({ email, password }: Owner): Promise<void> {
    await this.page.goto(`${this.url}/signin`);
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.waitForURL(/\/home\//);
  }

  /** Opens an empty workflow. */
  async newWorkflow(): Promise<void> {
    await this.page.goto(`${this.url}/workflow/new`);
    await this.page.getByTestId('canvas-add-button').waitFor();
  }

  /** Opens a stored workflow, all of it in view. */
  async open(workflowId: string): Promise<void> {
    await this.page.goto(`${this.url}/workflow/${workflowId}`);
    await this.page.getByTestId('canvas-node').first().waitFor();
    await this.page.getByTestId('zoom-to-fit').click();
  }

  /** Opens a stored credential, whose connection n8n tests then, and waits for the test to succeed. */
  async openCredential(id: string): Promise<void> {
    await this.page.goto(`${this.url}/home/credentials/${id}`);
    const success = this.page.getByTestId('credentials-config-container-test-success');
    await success.getByText('Retry').waitFor();
  }

  /** Chooses the credential of the open node. */
  async chooseCredential(name: string): Promise<void> {
    await this.page.getByTestId('node-credentials-select').click();
    await this.page.getByRole('option', { name }).click();
  }

  /**
   * Adds a node from the panel: searches it, chooses it, and one of its actions. The node's settings open.
   *
   * @returns the triggers and actions that the panel offers
   */
  async addNode(node: string, action: string): Promise<readonly string[]> {
    await this.page.getByTestId('node-creator-plus-button').click();
    await this.page.getByTestId('node-creator-search-bar').fill(node);
    const entries = this.page.getByTestId('node-creator-item-name');
    await entries.getByText(node, { exact: true }).first().click();
    // To begin a workflow with, the panel offers triggers where there are some, and keeps the actions folded.
    const folder = this.page.getByTestId('node-creator-category-item').filter({ hasText: 'Actions (' });
    const chosen = entries.getByText(action, { exact: true });
    await folder.waitFor();
    if (!(await chosen.isVisible())) await folder.click();
    await chosen.waitFor();
    const actions = await entries.allTextContents();
    await chosen.click();
    await this.page.getByTestId('ndv').waitFor();
    return actions.map((text) => text.trim());
  }

  /**
   * Picks an entry under "From List".
   *
   * @param filter typed into the search field of the list
   * @returns the entries that the list showed then
   */
  async pick(parameter: string, entry: string, filter?: string): Promise<readonly string[]> {
    await this.page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').click();
    const entries = this.page.getByTestId('rlc-item');
    await entries.first().waitFor();
    if (filter !== undefined) {
      await this.page.getByTestId('rlc-search').fill(filter);
      await entries.filter({ hasText: entry }).first().waitFor();
    }
    const names = (await entries.allTextContents()).map((text) => text.trim());
    await entries.filter({ hasText: entry }).first().click();
    return names;
  }

  /** What a locator shows as chosen. */
  async chosen(parameter: string): Promise<string> {
    return this.page.getByTestId(`resource-locator-${parameter}`).getByTestId('rlc-input').inputValue();
  }

  /**
   * Executes the open node and waits for its success.
   *
   * @param shown text that the output must come to show: the data appear some time after the number of items
   * @returns the text of the output panel
   */
  async executeStep(shown: string): Promise<string> {
    await this.page.getByTestId('node-execute-button').click();
    const output = this.page.getByTestId('output-panel');
    await output.getByTestId('node-run-status-success').waitFor();
    await output.getByText(shown).first().waitFor();
    return (await output.textContent()) ?? '';
  }

  /**
   * Shows the output of the open node as JSON: a table shows the first fields only.
   *
   * @param shown text that it must come to show
   */
  async showJson(shown: string): Promise<void> {
    const output = this.page.getByTestId('output-panel');
    await output.getByText('JSON', { exact: true }).click();
    await output.getByText(shown).first().waitFor();
    await this.page.getByText('Node executed successfully').first().waitFor({ state: 'hidden' });
  }

  /** Switches a parameter of the open node on. */
  async switchOn(label: string): Promise<void> {
    const parameter = this.page.getByTestId('parameter-item').filter({ hasText: label });
    await parameter.locator('.el-switch').click();
  }

  /**
   * Executes the open node and waits for its failure.
   *
   * @returns what the output panel says: what happened, and below it what to do
   */
  async executeFailingStep(): Promise<{ readonly message: string; readonly description: string }> {
    await this.page.getByTestId('node-execute-button').click();
    const output = this.page.getByTestId('output-panel');
    const message = output.getByTestId('node-error-message');
    await message.waitFor();
    const description = output.getByTestId('node-error-description');
    // The button and the message have the last word on the picture: both come to rest.
    await this.page.getByTestId('node-execute-button').click({ trial: true });
    await this.page.getByText('Problem in node').first().hover({ trial: true });
    return { message: await message.innerText(), description: await description.innerText() };
  }

  /** Copies what the output panel says of a failure, as a person does. @returns what is in the clipboard then */
  async copyDescription(): Promise<string> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.getByTestId('node-error-description').selectText();
    await this.page.keyboard.press('ControlOrMeta+c');
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** Executes the open workflow and waits for its success. */
  async executeWorkflow(): Promise<void> {
    const button = this.page.getByTestId('execute-workflow-button').first();
    await button.click();
    const said = this.page.getByText('Workflow executed successfully').first();
    await said.waitFor();
    // The button and the message have the last word on the picture.
    await button.getByText('Execute workflow').waitFor();
    await said.waitFor({ state: 'hidden' });
  }

  /** How many nodes of the canvas show success. */
  async statuses(): Promise<{ readonly success: number }> {
    return { success: await this.page.getByTestId('canvas-node-status-success').count() };
  }

  /** Closes the settings of the node. */
  async closeNode(): Promise<void> {
    await this.page.getByTestId('ndv-close-button').click();
    await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
  }
}

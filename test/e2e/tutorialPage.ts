import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PAGE = resolve(__dirname, '../../docs/tutorial.md');

/** Commands of the page, and what it says that they print; undefined where it does not say. */
export interface Commands {
  readonly commands: string;
  readonly printed: string | undefined;
}

/** The commands of a section of docs/tutorial.md, in their order. */
export function commandsOf(section: string): readonly Commands[] {
  const text = readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(section));
  if (text === undefined) throw new Error(`docs/tutorial.md has no section "${section}"`);
  const blocks = text.matchAll(/^```sh\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm);
  return Array.from(blocks, ([, commands = '', printed]) => ({ commands, printed }));
}

/** The end of some commands in what the shell prints, with their status. */
const END = /^--- (\d+) ---\n/m;

/** A terminal in an empty folder, as a reader has one: what one command sets, the next one sees. */
export class Terminal {
  private printed = '';
  private readonly shell: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), 'navin-tutorial-'));

  constructor({ kubectl, kubeconfig }: { readonly kubectl: string; readonly kubeconfig: string }) {
    const programs = join(this.folder, 'bin');
    const work = join(this.folder, 'work');
    for (const folder of [programs, work]) mkdirSync(folder);
    symlinkSync(kubectl, join(programs, 'kubectl'));
    const env = { PATH: `${programs}:${process.env.PATH ?? ''}`, HOME: work, KUBECONFIG: kubeconfig };
    this.shell = spawn('bash', ['--norc', '-c', 'exec 2>&1; exec bash --norc'], { cwd: work, env });
    this.shell.stdout?.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  /** Enters commands. @returns what they print; throws where one fails */
  async enter(commands: string): Promise<string> {
    this.printed = '';
    this.shell.stdin?.write(`(exit 0)\n${commands}\nprintf -- '--- %s ---\\n' "$?"\n`);
    let end = END.exec(this.printed);
    for (; end === null; end = END.exec(this.printed)) {
      if (this.shell.exitCode !== null || this.shell.stdout === null)
        throw new Error(`the shell ended: ${this.printed}`);
      await once(this.shell.stdout, 'data', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    }
    const text = this.printed.slice(0, end.index);
    if (end[1] !== '0') throw new Error(`${commands}\nended with ${String(end[1])}: ${text}`);
    return text;
  }

  async close(): Promise<void> {
    const ended = once(this.shell, 'close');
    this.shell.stdin?.end();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Longest that a command may say nothing, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** A text without what differs from run to run: how old something is, and how wide a column is because of it. */
export function withoutAges(text: string): string {
  return text
    .replace(/\b(\d+[smhd])+\b/g, 'AGE')
    .replace(/ +/g, ' ')
    .trim();
}

import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';

/** How the program ended. */
export interface Ended {
  /** Null: by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The built program as a process of its own, with exactly the environment given. */
export class SpawnedProgram {
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';
  private readonly output = new EventEmitter();

  constructor(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
      this.output.emit('more');
    });
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        this.output.emit('more');
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get lines(): readonly LogLine[] {
    const whole = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** Waits for a line of the log. */
  async line(isIt: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(isIt);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`The program has ended: ${this.stderr}`);
      await once(this.output, 'more');
    }
  }

  /** Where it serves probes. */
  async url(): Promise<string> {
    const { listen } = await this.line(({ msg }) => msg === 'The operator has started.');
    const { address, port } = listen as { address: string; port: number };
    return `http://${address}:${port}`;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Linux counts the time of processes in hundredths of a second, for programs on any machine. */
const TICKS_PER_SECOND = 100;
const ESTABLISHED = '01';

/** What the kernel knows of another process; Linux only. */
export class LinuxProcess {
  private readonly folder: string;

  constructor(pid: number) {
    this.folder = `/proc/${pid}`;
  }

  /** Processor time of all its threads so far, in seconds; without its children. */
  cpuSeconds(): number {
    // The name, in brackets, may hold spaces; user and system time are fields 14 and 15.
    const fields = this.read('stat').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory, in MiB. */
  residentMiB(): number {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(this.read('status'))?.[1]) / 1024;
  }

  /** Its TCP connections to a port of another program. */
  connectionsTo(port: number): number {
    const own = new Set(this.sockets());
    const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    return ['net/tcp', 'net/tcp6']
      .flatMap((file) => this.read(file).trim().split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, state, , , , , , inode]) => {
        return remote?.endsWith(suffix) && state === ESTABLISHED && own.has(inode ?? '');
      }).length;
  }

  /** Inodes of its sockets. */
  private sockets(): readonly string[] {
    const folder = join(this.folder, 'fd');
    return readdirSync(folder).flatMap((file) => /^socket:\[(\d+)\]$/.exec(linkIn(folder, file))?.[1] ?? []);
  }

  private read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}

/** A descriptor may be closed meanwhile. */
function linkIn(folder: string, file: string): string {
  try {
    return readlinkSync(join(folder, file));
  } catch {
    return '';
  }
}

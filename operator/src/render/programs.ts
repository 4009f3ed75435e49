import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { runSandboxed } from './sandbox';

/** The helm that charts are rendered with. Another one renders some charts otherwise. */
export const HELM_VERSION = 'v4.1.4';
/** Where the image has it. */
const IMAGE_HELM = '/usr/local/bin/helm';

/** What rendering needs of the machine. */
export interface RenderPrograms {
  readonly helm: string;
  readonly prlimit: string;
}

/** A program that is missing or is another one than it must be. */
export class ProgramError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProgramError';
  }
}

/**
 * Finds helm (`HELM_BIN`, else where the image has it) and prlimit (in `PATH`), and makes sure that helm starts in the
 * sandbox and is the right one.
 *
 * @throws ProgramError
 */
export async function findRenderPrograms(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<RenderPrograms> {
  const prlimit = await findPrlimit(env);
  if (prlimit === undefined) {
    throw new ProgramError('prlimit is missing: charts are rendered with a limit of memory only. Install util-linux.');
  }
  const given = env.HELM_BIN ?? '';
  const helm = given === '' ? IMAGE_HELM : given;
  if (!isAbsolute(helm) || !(await isExecutable(helm))) {
    const what =
      given === '' ? `There is no helm at ${IMAGE_HELM}` : 'HELM_BIN does not name a program by its whole path';
    throw new ProgramError(`${what}. Set HELM_BIN to helm ${HELM_VERSION}.`);
  }
  const version = await versionOf(helm, prlimit);
  if (version !== HELM_VERSION) {
    throw new ProgramError(`${helm} is not helm ${HELM_VERSION}. Set HELM_BIN to that version.`);
  }
  return { helm, prlimit };
}

/** Undefined: this machine has none. */
export async function findPrlimit(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '/usr/bin:/bin').split(delimiter)) {
    const file = join(folder, 'prlimit');
    if (isAbsolute(file) && (await isExecutable(file))) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(helm: string, prlimit: string): Promise<string> {
  const result = await runSandboxed({
    prlimit,
    program: helm,
    args: ['version', '--template', '{{.Version}}'],
    cwd: tmpdir(),
    env: {},
    timeoutMs: 20_000,
    maxOutputBytes: 1_024,
  });
  return result.stdout.toString('utf8').trim();
}

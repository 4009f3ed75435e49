import { describe } from '@jest/globals';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findHelm } from '../../../test/helm';
import { findRenderPrograms, type RenderPrograms } from '../render';

const folders = (process.env.PATH ?? '').split(delimiter);

/** Tests of the sandbox, left out where there is none: prlimit is a program of Linux. */
export const describeSandbox = folders.some((folder) => existsSync(join(folder, 'prlimit'))) ? describe : describe.skip;

/** Real helm, and prlimit of this machine. */
export async function renderPrograms(): Promise<RenderPrograms> {
  return findRenderPrograms({ ...process.env, HELM_BIN: await findHelm() });
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');

/** The package as it is in the work tree, without the type check. */
export async function buildPackage(): Promise<void> {
  const gulp = join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js');
  try {
    await promisify(execFile)(process.execPath, [gulp, '--series', 'clean', 'bundles', 'assets'], { cwd: ROOT });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`The package could not be built:\n${stdout}${stderr}`, { cause: error });
  }
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');

/** The operator as it is in the work tree, without the type check. Answers the path of the program. */
export async function buildOperator(): Promise<string> {
  const gulp = join(ROOT, 'node_modules', 'gulp', 'bin', 'gulp.js');
  try {
    await promisify(execFile)(process.execPath, [gulp, 'operator'], { cwd: ROOT });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`The operator could not be built:\n${stdout}${stderr}`, { cause: error });
  }
  return join(ROOT, 'operator', 'dist', 'operator.cjs');
}

if (require.main === module) {
  buildOperator().then(console.log, (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { N8nError } from './errors';
import { PACKAGE } from './package';

const execute = promisify(execFile);

const PROJECT = resolve(__dirname, '..', '..');

/**
 * Packs the built package as it would be published; or takes the tarball that `NAVIN_TEST_PACKAGE` names, so that a
 * release can be tested as it is.
 *
 * @param folder gets the tarball; holds no other
 * @returns path of the tarball
 * @throws N8nError package_failed when it is not built
 */
export async function packPackage(folder: string): Promise<string> {
  const given = process.env.NAVIN_TEST_PACKAGE;
  if (given !== undefined && given !== '') return resolve(given);
  const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    n8n: { nodes: readonly string[]; credentials: readonly string[] };
  };
  const missing = [...manifest.n8n.nodes, ...manifest.n8n.credentials].filter(
    (file) => !existsSync(join(PROJECT, file)),
  );
  if (missing.length > 0) {
    throw new N8nError(
      'package_failed',
      `The package is not built: ${missing.join(', ')} is missing. Run \`npm run build\` first.`,
    );
  }
  await execute('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
    cwd: PROJECT,
  });
  // What npm prints differs between its versions; the file does not.
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new N8nError('package_failed', '`npm pack` made no file.');
  return join(folder, tarball);
}

/** Unpacks a tarball to where n8n looks for installed community packages. @throws N8nError package_failed */
export async function unpackPackage(tarball: string, modules: string): Promise<void> {
  const target = join(modules, ...PACKAGE.split('/'));
  mkdirSync(target, { recursive: true });
  try {
    await execute('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  } catch (cause) {
    throw new N8nError('package_failed', `${tarball} could not be unpacked.`, { cause });
  }
}

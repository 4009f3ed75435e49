/**
 * Writes what is generated from a TypeScript source: tables of docs/ and the output schemas of the nodes.
 * `--check` writes nothing and ends with 1 when a file is stale; the test command runs that.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { generatedFiles } from './generated';

const root = join(__dirname, '..');
const check = process.argv.includes('--check');

async function main(): Promise<void> {
  const stale: string[] = [];
  for (const { path, content } of await generatedFiles(root)) {
    const file = join(root, path);
    const text = await format(content, { ...(await resolveConfig(file)), filepath: file });
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    stale.push(relative(root, file));
    if (!check) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  if (stale.length === 0) {
    console.log('generated files are up to date');
  } else if (check) {
    console.error(`stale: ${stale.join(', ')}. Run \`npm run generate\` and commit.`);
    process.exitCode = 1;
  } else {
    console.log(`written: ${stale.join(', ')}`);
  }
}

void main();

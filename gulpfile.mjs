// Builds what is published, dist/, and the operator. `gulp build` checks the types, bundles and copies; each task can be run alone.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { globSync } from 'node:fs';
import gulp from 'gulp';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const core = join(root, 'core');
const LICENCES = 'THIRD_PARTY_LICENSES.txt';

/** Removes the last build. */
export async function clean() {
  await rm(dist, { recursive: true, force: true });
}

/** Type check of everything, tests and scripts included. */
export async function types() {
  try {
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
      maxBuffer: 2 ** 24,
    });
  } catch (error) {
    throw new Error(`type check\n${error.stdout}`);
  }
}

/**
 * n8n requires every node file of a package in every process at start. So a node file holds its description only; what
 * runs is a file of its own (run.js), and each noun of core is one more (esbuild cannot split CommonJS): both are
 * required on first use. An import of another noun, or of ./run, stays a require; `onNoun` is told of each noun.
 */
function lazyEntries(outdir, onNoun) {
  return {
    name: 'lazy-entries',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, kind }) => {
        const target = join(resolveDir, path);
        const noun = relative(core, target);
        const crossesNoun = dirname(target) === core && !resolveDir.startsWith(target);
        if (crossesNoun) {
          onNoun(noun);
          const file = relative(outdir, join(dist, 'core', `${noun}.js`));
          // Without side effects: an import that only the functions need is dropped from the descriptions.
          return { path: file.startsWith('.') ? file : `./${file}`, external: true, sideEffects: false };
        }
        if (kind === 'dynamic-import' && basename(target) === 'run') {
          return { path: './run.js', external: true };
        }
        return undefined;
      });
    },
  };
}

async function bundle({ entry, outfile }, onNoun) {
  return esbuild({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['n8n-workflow'],
    // ws would look for faster helpers outside of the package.
    define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
    plugins: [lazyEntries(dirname(outfile), onNoun)],
    // import() of a lazy entry becomes require: n8n resolves n8n-workflow for require only.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
  });
}

/** Bundles nodes, credentials and the nouns of core that they use, and writes the licences of the libraries inside. */
export async function bundles() {
  let waiting = [
    ...globSync('nodes/*/*.node.ts', { cwd: root }),
    ...globSync('nodes/*/run.ts', { cwd: root }),
    ...globSync('credentials/*.credentials.ts', { cwd: root }),
  ].map((file) => ({ entry: join(root, file), outfile: join(dist, file.replace(/\.ts$/, '.js')) }));
  const results = [];
  const nouns = new Set();
  while (waiting.length > 0) {
    const before = new Set(nouns);
    results.push(...(await Promise.all(waiting.map((source) => bundle(source, (noun) => nouns.add(noun))))));
    waiting = [...nouns.difference(before)].map((noun) => ({
      entry: join(core, noun, 'index.ts'),
      outfile: join(dist, 'core', `${noun}.js`),
    }));
  }
  for (const { metafile } of results) descriptionsOnly(metafile);
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(dist, LICENCES), await licences(inputs));
}

/** A node file that required core at its top would make every process of n8n pay for it at start. */
function descriptionsOnly({ outputs }) {
  for (const [file, { imports }] of Object.entries(outputs)) {
    if (!file.endsWith('.node.js') && !file.endsWith('.credentials.js')) continue;
    const other = imports.find(({ path }) => path !== 'n8n-workflow' && path !== './run.js');
    if (other !== undefined) throw new Error(`${file} requires ${other.path}: only descriptions belong into it`);
  }
}

/** The licences of the packages that files come from. */
async function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match !== null) packages.add(match[1]);
  }
  const texts = await Promise.all(
    [...packages].sort().map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
      return `${name} ${version} (${license})\n\n${await licenceText(join(root, folder), name)}\n`;
    }),
  );
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** The licence of a package: its file, or the section of its README where it has none. */
async function licenceText(folder, name) {
  const [file] = globSync('{LICENSE,LICENCE,license,License}*', { cwd: folder });
  if (file !== undefined) return (await readFile(join(folder, file), 'utf8')).trim();
  const [, section] = (await readFile(join(folder, 'README.md'), 'utf8')).split(/^#* *Licen[sc]e *\n(?:-+\n)?/im);
  if (section === undefined) throw new Error(`${name} has no licence text`);
  return section.trim();
}

/** Copies icons, codex files and output schemas beside the nodes. */
export async function assets() {
  const files = globSync(
    ['nodes/**/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json', 'credentials/*.svg'],
    { cwd: root },
  );
  const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const file of files) {
    if (file.endsWith('.json')) {
      const json = JSON.parse(await readFile(join(root, file), 'utf8'));
      if (file.endsWith('.node.json') && !String(json.node).startsWith(`${name}.`)) {
        throw new Error(`${file}: "node" must begin with "${name}."`);
      }
    }
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await cp(join(root, file), join(dist, file));
  }
}

/**
 * Bundles the operator: operator/dist/operator.cjs, for Node 24 and nothing beside it. Files are put in place whole, so that
 * a running one may be replaced.
 */
export async function operator() {
  const outdir = join(root, 'operator', 'dist');
  const { outputFiles, metafile } = await esbuild({
    entryPoints: [join(root, 'operator', 'src', 'main.ts')],
    outfile: join(outdir, 'operator.cjs'),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: root,
  });
  await mkdir(outdir, { recursive: true });
  await replace(join(outdir, 'operator.cjs'), outputFiles[0].contents);
  await replace(join(outdir, LICENCES), await licences(Object.keys(metafile.inputs)));
}

async function replace(file, contents) {
  await writeFile(`${file}.${process.pid}`, contents);
  await rename(`${file}.${process.pid}`, file);
}

export const build = gulp.series(clean, gulp.parallel(types, bundles, assets, operator));
export default build;

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from './api';
import type { BuildProgress } from './build';
import { runFixture } from './fixtures/child';
import { cacheDirectory, findPrograms, programsKey } from './programs';
import { KWOK_FILES, PROGRAMS } from './sources';

jest.setTimeout(60_000);

const MODULES = join(__dirname, 'programs');
const NAMES = Object.keys(PROGRAMS);

let directory: string;
let env: Record<string, string>;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'navin-programs-'));
  env = { PATH: `${join(directory, 'bin')}:/usr/bin:/bin`, NAVIN_CACHE_DIR: join(directory, 'cache'), HOME: directory };
  mkdirSync(join(directory, 'bin'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Puts a `go` on the PATH that answers `go env`, `go list` and, by the given shell lines, `go build`. */
function fakeGo(build: string, version = 'go1.26.3'): void {
  const script = `#!/bin/sh
case $1 in
  env) echo ${version} ;;
  list) echo ${join(directory, 'kwok')} ;;
  build)
    while [ "$1" != -o ]; do shift; done
    output=$2; package=$3
    echo "$package" >> ${join(directory, 'calls')}
    ${build} ;;
esac
`;
  writeFileSync(join(directory, 'bin', 'go'), script);
  chmodSync(join(directory, 'bin', 'go'), 0o755);
  for (const file of KWOK_FILES) {
    const path = join(directory, 'kwok', 'kustomize', file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `# ${file}\n`);
  }
}

const SUCCEED = 'echo "built $package" > "$output"';

function calls(): string[] {
  return readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n');
}

describe('where the programs come from', () => {
  it('builds them once with Go into the cache, and then needs no Go', async () => {
    fakeGo(SUCCEED);
    const built = await findPrograms({ env });
    expect(calls()).toEqual(Object.values(PROGRAMS).map((program) => program.package));
    expect(readFileSync(built['kube-apiserver'], 'utf8')).toBe('built k8s.io/kubernetes/cmd/kube-apiserver\n');
    expect(built.kwok).toBe(join(directory, 'cache', 'programs', programsKey(MODULES), 'kwok'));
    expect(readFileSync(join(built.kwokFiles, KWOK_FILES[0]), 'utf8')).toBe(`# ${KWOK_FILES[0]}\n`);
    expect(readdirSync(dirname(built.kwok)).sort()).toEqual([...NAMES, 'kwok-files'].sort());

    rmSync(join(directory, 'bin', 'go'));
    expect(await findPrograms({ env })).toEqual(built);
  });

  it('tells how far the build is', async () => {
    fakeGo(SUCCEED);
    const seen: BuildProgress[] = [];
    await findPrograms({ env, onProgress: (progress) => seen.push(progress) });
    const steps = seen.map(({ program, state }) => `${program} ${state}`);
    expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual(
      NAMES.flatMap((name) => [`${name} building`, `${name} done`]),
    );
    expect(seen[0]).toMatchObject({ estimatedSeconds: 58 });
  });

  it('goes on where an unsuccessful build was', async () => {
    fakeGo(`case $package in *scheduler) echo no such thing; exit 1 ;; *) ${SUCCEED} ;; esac`);
    await expect(findPrograms({ env })).rejects.toMatchObject({ code: 'build_failed' });
    fakeGo(SUCCEED);
    await findPrograms({ env });
    expect(calls()).toHaveLength(NAMES.length + 1);
    expect(calls().filter((call) => call.endsWith('kube-scheduler'))).toHaveLength(2);
  });

  it('builds once when two ask at the same time', async () => {
    fakeGo(`sleep 0.1; ${SUCCEED}`);
    const waiting: string[] = [];
    const onProgress = ({ program, state }: BuildProgress): void => {
      if (state === 'waiting') waiting.push(program);
    };
    const [one, two] = await Promise.all([findPrograms({ env, onProgress }), findPrograms({ env, onProgress })]);
    expect(one).toEqual(two);
    expect(calls()).toHaveLength(NAMES.length);
    expect(waiting).toEqual(['another build']);
  });

  it('prefers the folder of NAVIN_TEST_ASSETS', async () => {
    const assets = join(directory, 'assets');
    for (const file of [...NAMES, ...KWOK_FILES.map((name) => `kwok-files/${name}`)]) {
      mkdirSync(dirname(join(assets, file)), { recursive: true });
      writeFileSync(join(assets, file), '');
    }
    const found = await findPrograms({ env: { ...env, NAVIN_TEST_ASSETS: assets } });
    expect(found.etcd).toBe(join(assets, 'etcd'));
    rmSync(join(assets, 'etcd'));
    await expect(findPrograms({ env: { ...env, NAVIN_TEST_ASSETS: assets } })).rejects.toMatchObject({
      code: 'assets_incomplete',
      message: `NAVIN_TEST_ASSETS names ${assets}, which lacks etcd. Complete the folder, or unset the variable to build the programs with Go.`,
    });
  });

  it('keeps the cache where the environment says', () => {
    expect(cacheDirectory({ NAVIN_CACHE_DIR: '/a' })).toBe('/a');
    expect(cacheDirectory({ XDG_CACHE_HOME: '/b', HOME: '/c' })).toBe('/b/navin-kubernetes');
    expect(cacheDirectory({ XDG_CACHE_HOME: '', HOME: '/c' })).toBe('/c/.cache/navin-kubernetes');
  });

  it('has another folder for other sources', () => {
    const copy = join(directory, 'modules');
    cpSync(MODULES, copy, { recursive: true });
    expect(programsKey(copy)).toBe(programsKey(MODULES));
    expect(programsKey(copy)).toMatch(/^v1\.37\.2-\w+-\w+-[0-9a-f]{12}$/);
    appendFileSync(join(copy, 'etcd', 'go.mod'), '// other\n');
    expect(programsKey(copy)).not.toBe(programsKey(MODULES));
  });
});

describe('an interrupted build', () => {
  it('leaves no compiler running and nothing half-done, and goes on at the next start', async () => {
    fakeGo('case $package in *server/v3) echo "built" > "$output" ;; *) echo half > "$output"; sleep 1000 ;; esac');
    const builder = await runFixture('builder', ['etcd done'], env);
    const folder = join(directory, 'cache', 'programs', programsKey(MODULES));
    await eventually(() => calls().length === 2, 'the second build');
    expect(readdirSync(folder).filter((name) => name.startsWith('.partial-'))).toHaveLength(1);
    builder.child.kill('SIGKILL');
    await builder.ended;
    await eventually(() => readdirSync(folder).every((name) => !name.startsWith('.partial-')), 'the clean-up');

    fakeGo(SUCCEED);
    await findPrograms({ env });
    expect(calls().filter((call) => call === PROGRAMS.etcd.package)).toHaveLength(1);
    expect(calls()).toHaveLength(1 + NAMES.length);
  });
});

describe('why they cannot be built', () => {
  const goHelp =
    'The disposable cluster is built from Go modules, once. Install Go 1.26 or newer (https://go.dev/dl/, or your package manager) and run the command again, or set NAVIN_TEST_ASSETS to a folder that holds the programs.';

  it('Go is missing', async () => {
    env.PATH = join(directory, 'bin');
    await expect(findPrograms({ env })).rejects.toMatchObject({
      code: 'go_missing',
      message: `Go is not installed. ${goHelp}`,
    });
  });

  it('Go is too old', async () => {
    fakeGo(SUCCEED, 'go1.25.9');
    await expect(findPrograms({ env })).rejects.toMatchObject({
      code: 'go_too_old',
      message: `Go 1.25.9 is too old. ${goHelp}`,
    });
  });

  it('Go itself finds that it is too old', async () => {
    const refusal = 'go: go.mod requires go >= 1.26.0 (running go 1.22.12; GOTOOLCHAIN=local)';
    writeFileSync(join(directory, 'bin', 'go'), `#!/bin/sh\necho '${refusal}' >&2\nexit 1\n`);
    chmodSync(join(directory, 'bin', 'go'), 0o755);
    await expect(findPrograms({ env })).rejects.toMatchObject({
      code: 'go_too_old',
      message: `Go 1.22.12 is too old. ${goHelp}`,
    });
  });

  it('the disk is full', async () => {
    fakeGo('echo "link: write /x: no space left on device" >&2; exit 1');
    await expect(findPrograms({ env })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/^No room .* \d+\.\d GB free\. .*the build goes on where it was\.$/),
    });
  });

  it('the sources cannot be fetched', async () => {
    fakeGo('echo "go: example.com/x: dial tcp: lookup proxy.example: no such host" >&2; exit 1');
    await expect(findPrograms({ env })).rejects.toMatchObject({
      code: 'build_failed',
      message: expect.stringContaining('check the network and `go env GOPROXY`'),
    });
  });

  it('a module is broken: shows what Go said, names the full log, leaves nothing half-done', async () => {
    const modules = join(directory, 'modules');
    cpSync(MODULES, modules, { recursive: true });
    appendFileSync(join(modules, 'etcd', 'go.mod'), 'this is no go.mod\n');
    // The real Go of this machine.
    const real = { ...env, PATH: process.env.PATH ?? '' };
    const error = await findPrograms({ env: real, modules }).catch((cause: unknown) => cause as Error);
    const folder = join(directory, 'cache', 'programs', programsKey(modules));
    const log = join(folder, 'etcd.build.log');
    expect(error).toMatchObject({ code: 'build_failed' });
    expect((error as Error).message).toMatch(/^Go could not build etcd\. The full log is .*errors parsing go\.mod/s);
    expect((error as Error).message).toContain(log);
    expect(existsSync(log)).toBe(true);
    expect(readdirSync(folder)).toEqual(['etcd.build.log']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { DEPLOYMENT } from './deployment';

const ROOT = join(__dirname, '../../..');
const lines = readFileSync(join(ROOT, 'operator/Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const runtime = lines.slice(lines.indexOf('FROM ${BASE}'));

function argument(name: string): string | undefined {
  return lines.find((line) => line.startsWith(`ARG ${name}=`))?.slice(`ARG ${name}=`.length);
}

/** What an instruction is given as a list, as every one that runs something without a shell is. */
function lists(instruction: string): readonly (readonly string[])[] {
  return runtime
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => JSON.parse(line.slice(instruction.length + 1)) as string[]);
}

describe('the image', () => {
  it('stands on bases with a fixed major version, which can be given otherwise', () => {
    expect([argument('BASE'), argument('BUILD')]).toEqual([
      'gcr.io/distroless/nodejs24-debian12:nonroot',
      'docker.io/library/node:24-bookworm-slim',
    ]);
    expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
      'FROM ${BUILD} AS build',
      'FROM build AS helm',
      'FROM ${BASE}',
    ]);
  });

  it('needs no shell, and has helm, prlimit and charts where the program looks for them', () => {
    expect(lists('RUN')[0]).toEqual([
      ...['prlimit', '--as=1073741824', '--', '/usr/local/bin/helm'],
      ...['version', '--template', '{{.Version}}'],
    ]);
    expect(lists('ENTRYPOINT').map((words) => [words[0], words.at(-1)])).toEqual([['node', '/app/operator.cjs']]);
    const paths = /^ENV PATH=(\S+)$/m.exec(runtime.join('\n'))?.[1]?.split(':');
    expect(paths).toEqual(expect.arrayContaining(['/nodejs/bin', '/usr/bin']));
    expect(lines.join('\n')).toMatch(/cp \/usr\/bin\/prlimit \/out\/usr\/bin\//);
    expect(lines.join('\n')).toMatch(/mkdir -p \S+ \/out\/charts /);
  });

  it('runs as the user that its Deployment names by number', () => {
    const { template } = (DEPLOYMENT.object as { spec: { template: { spec: { securityContext: object } } } }).spec;
    expect(runtime.filter((line) => line.startsWith('USER '))).toEqual(['USER 65532:65532']);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532 });
  });

  it('is labelled with the version of the operator', () => {
    expect(argument('VERSION')).toBe(version);
  });

  it('is built from files that are there and not kept back', () => {
    const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(kept.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(kept).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', '.npmrc', 'gulpfile.mjs']));
    expect(kept).toEqual(expect.arrayContaining(['core', 'operator', 'test']));
  });
});

import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** typebox ships ES modules only and jest runs CommonJS: one CommonJS file of it, made once a version. */
function commonJsTypebox() {
  const modules = join(import.meta.dirname, 'node_modules');
  const { version } = JSON.parse(readFileSync(join(modules, 'typebox/package.json'), 'utf8'));
  const file = join(modules, '.cache/navin', `typebox-${version}.cjs`);
  if (existsSync(file)) return file;
  const contents = "export { Type } from 'typebox'; export { Value } from 'typebox/value';";
  const outfile = `${file}.${process.pid}`;
  buildSync({ stdin: { contents, resolveDir: modules }, bundle: true, format: 'cjs', platform: 'node', outfile });
  renameSync(outfile, file);
  return file;
}

/** Suites are chosen by folder: unit tests beside the code, cluster tests in *.cluster.test.ts, end-to-end tests in test/e2e. */
const common = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.[tj]s$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(@kubernetes|commander|jose|openid-client|oauth4webapi)/)'],
  moduleNameMapper: { '^typebox(/value)?$': commonJsTypebox() },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

export default {
  // A bound against hanging, not a measure: the machine may be busy.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{core,nodes,credentials,operator,scripts,test}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.cluster\\.test\\.ts$', '<rootDir>/test/e2e/'],
    },
    {
      ...common,
      displayName: 'cluster',
      testMatch: ['<rootDir>/{core,operator,test}/**/*.cluster.test.ts'],
      // One cluster for all files that do not need options of their own.
      globalSetup: '<rootDir>/test/cluster/globalSetup.ts',
      globalTeardown: '<rootDir>/test/cluster/globalTeardown.ts',
    },
    { ...common, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
  ],
};

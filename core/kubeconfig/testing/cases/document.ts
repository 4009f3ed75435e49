import { base64, config, type Fields, SERVER, TOKEN, withUnused, yaml } from '../kubeconfig';
import { type Case, edited, fields, parts, text } from './case';

const INVENTED: Fields = {
  name: 'x',
  extension: { provider: 'minikube.sigs.k8s.io', version: 'v1.38.0', list: [1, 2.5, null, true] },
};

const named = (n: number, name: string): Case => ({
  n,
  what: `everything is called ${JSON.stringify(name)}`,
  input: ({ ca }) =>
    fields({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: SERVER, 'certificate-authority-data': base64(ca.certificate) } }],
      users: [{ name, user: { token: TOKEN } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }),
  expected: 'accept',
});

const root = (n: number, what: string, change: Fields, expected: Case['expected']): Case =>
  parts(n, what, { root: change }, expected);

/** Nine levels of ten references each: a thousand million values when expanded. */
const BILLION_LAUGHS = [
  'a: &a [lol]',
  ...'b c d e f g h i'.split(' ').map((key, i) => `${key}: &${key} [${`*${'abcdefgh'[i] ?? ''},`.repeat(10)}]`),
].join('\n');

/** Cases 3 to 6 and 41 to 48, 56: the text and the document. */
export const DOCUMENT_CASES: readonly Case[] = [
  { n: 3, what: 'JSON', input: ({ ca }) => text(JSON.stringify(config(ca.certificate))), expected: 'accept' },
  {
    n: 3,
    what: 'JSON with indentation',
    input: ({ ca }) => text(JSON.stringify(config(ca.certificate), null, 2)),
    expected: 'accept',
  },
  {
    n: 3,
    what: 'JSON that lost its line breaks in a form',
    input: ({ ca }) => text(JSON.stringify(config(ca.certificate), null, 2).replace(/\n/g, ' ')),
    expected: 'accept',
  },
  {
    n: 3,
    what: 'JSON with escapes',
    input: ({ ca }) => text(JSON.stringify(config(ca.certificate)).replace(/\//g, '\\/').replace('prod', '\\u0070rod')),
    expected: 'accept',
  },
  edited(4, 'CRLF', (yaml) => yaml.replace(/\n/g, '\r\n'), 'accept'),
  edited(4, 'a byte order mark', (yaml) => `\ufeff${yaml}`, 'accept'),
  edited(
    4,
    'a document start, comments and trailing line breaks',
    (yaml) => `# prod\n---\n${yaml}\n\n# end\n`,
    'accept',
  ),
  edited(4, 'no trailing line break', (yaml) => yaml.trimEnd(), 'accept'),
  edited(4, 'YAML that lost its line breaks in a form', (yaml) => yaml.replace(/\n/g, ' '), 'line-breaks-lost'),
  edited(4, 'YAML whose line breaks were dropped', (yaml) => yaml.replace(/\n/g, ''), 'line-breaks-lost'),
  edited(4, 'lone carriage returns', (yaml) => yaml.replace(/\n/g, '\r'), 'characters'),
  {
    n: 5,
    what: 'base64 wrapped over lines in a block scalar',
    input: ({ ca }) => {
      const wrapped = base64(ca.certificate).replace(/(.{76})/g, '$1\n        ');
      return text(yaml(config(ca.certificate)).replace(/(certificate-authority-data:) .*/, `$1 |\n        ${wrapped}`));
    },
    expected: 'accept',
  },
  parts(6, 'base64 with junk behind it', { cluster: { 'certificate-authority-data': 'TUlJ!!==' } }, 'base64'),
  parts(6, 'base64 of the URL alphabet', { cluster: { 'certificate-authority-data': 'TUlJ-_==' } }, 'base64'),
  parts(6, 'base64 without padding', { cluster: { 'certificate-authority-data': 'TUlJSQ' } }, 'base64'),
  parts(6, 'base64 with bits left over', { cluster: { 'certificate-authority-data': 'TUlJSR==' } }, 'base64'),
  parts(6, 'base64 that is padded twice', { cluster: { 'certificate-authority-data': 'TQ==TQ==' } }, 'base64'),
  {
    n: 41,
    what: 'skip-verify through anchor and merge key',
    input: ({ ca }) =>
      text(
        yaml(config(ca.certificate))
          .replace('cluster:\n', 'cluster:\n      <<: *x\n')
          .replace(/^/, 'extensions: &x\n  insecure-skip-tls-verify: true\n'),
      ),
    expected: 'yaml-features',
  },
  edited(
    41,
    'a merge key with a mapping in place',
    (yaml) => yaml.replace('cluster:\n', 'cluster:\n      <<: {insecure-skip-tls-verify: true}\n'),
    'yaml-features',
  ),
  edited(
    41,
    'a merge key in quotes',
    (yaml) => yaml.replace('cluster:\n', 'cluster:\n      "<<": {}\n'),
    'yaml-features',
  ),
  edited(42, 'an anchor that nothing refers to', (yaml) => yaml.replace('token: ', 'token: &t '), 'yaml-features'),
  edited(42, 'an anchor on a mapping', (yaml) => yaml.replace('user:\n', 'user: &u\n'), 'yaml-features'),
  edited(42, 'an alias', (yaml) => yaml.replace(/token: .*/, 'token: *t'), 'yaml-features'),
  edited(42, 'billion laughs', () => BILLION_LAUGHS, 'yaml-features'),
  edited(42, 'a complex key', (yaml) => `? [a, b]\n: c\n${yaml}`, 'yaml-features'),
  edited(42, 'a directive', (yaml) => `%YAML 1.1\n---\n${yaml}`, 'yaml-features'),
  edited(42, 'a tag directive', (yaml) => `%TAG !e! tag:example.com,2000:\n---\n${yaml}`, 'yaml-features'),
  edited(42, '!!binary', (yaml) => yaml.replace('token: ', 'token: !!binary '), 'yaml-features'),
  edited(42, '!!js/function', (yaml) => yaml.replace('token: ', 'token: !!js/function '), 'yaml-features'),
  edited(43, 'two documents', (yaml) => `${yaml}---\n${yaml}`, 'one-document'),
  edited(43, 'a second, empty document', (yaml) => `${yaml}---\n`, 'one-document'),
  root(43, 'kind Secret', { kind: 'Secret' }, 'not-a-kubeconfig'),
  root(43, 'kind List', { kind: 'List' }, 'not-a-kubeconfig'),
  root(43, 'kind config', { kind: 'config' }, 'not-a-kubeconfig'),
  root(43, 'apiVersion v2', { apiVersion: 'v2' }, 'not-a-kubeconfig'),
  root(43, 'apiVersion 1', { apiVersion: 1 }, 'not-a-kubeconfig'),
  edited(
    43,
    'neither kind nor apiVersion, as kubectl accepts it',
    (yaml) => yaml.replace(/^(apiVersion|kind):.*\n/gm, ''),
    'accept',
  ),
  edited(43, 'nothing', () => '', 'not-a-kubeconfig'),
  edited(43, 'white space and a comment', () => ' \n# nothing\n', 'not-a-kubeconfig'),
  edited(43, 'a list', () => '- a\n- b\n', 'not-a-kubeconfig'),
  edited(43, 'a word', () => 'kubeconfig', 'not-a-kubeconfig'),
  edited(43, 'a path', () => '/root/.kube/config', 'not-a-kubeconfig'),
  edited(43, 'another YAML file', () => 'name: x\nservices:\n  web: {}\n', 'not-a-kubeconfig'),
  edited(44, 'a key twice', (yaml) => yaml.replace(/( *)token: .*/, '$&\n$1token: other'), 'duplicate-key'),
  edited(
    44,
    'a key twice, once in quotes',
    (yaml) => yaml.replace(/( *)token: .*/, '$&\n$1"token": other'),
    'duplicate-key',
  ),
  edited(44, 'a key of the file twice', (yaml) => `${yaml}current-context: navin@prod\n`, 'duplicate-key'),
  edited(44, 'a key twice in JSON', () => '{"apiVersion":"v1","apiVersion":"v1"}', 'duplicate-key'),
  ...(['clusters', 'users', 'contexts'] as const).map((list): Case => ({
    n: 44,
    what: `two ${list} of one name`,
    input: ({ ca }) => {
      const base = config(ca.certificate);
      return fields({ ...base, [list]: [...(base[list] as unknown[]), ...(base[list] as unknown[])] });
    },
    expected: 'duplicate-name',
  })),
  root(45, 'no current-context', { 'current-context': null }, 'current-context'),
  root(45, 'an empty current-context', { 'current-context': '' }, 'current-context'),
  root(45, 'a current-context that is not there', { 'current-context': 'other' }, 'current-context'),
  root(45, 'a current-context that is a list', { 'current-context': ['navin@prod'] }, 'wrong-type'),
  root(45, 'no contexts', { contexts: [] }, 'current-context'),
  parts(45, 'a cluster that is not there', { context: { cluster: 'other' } }, 'dangling-reference'),
  parts(45, 'a user that is not there', { context: { user: 'other' } }, 'dangling-reference'),
  parts(45, 'a context without cluster', { context: { cluster: undefined } }, 'dangling-reference'),
  parts(45, 'a context without user', { context: { user: undefined } }, 'dangling-reference'),
  {
    n: 45,
    what: 'a context that is not used and leads nowhere',
    input: ({ ca }) => {
      const base = config(ca.certificate);
      const extra = { name: 'old', context: { cluster: 'gone', user: 'gone' } };
      return fields({ ...base, contexts: [...(base.contexts as unknown[]), extra] });
    },
    expected: 'dangling-reference',
  },
  named(46, 'arn:aws:eks:eu-west-1:123456789012:cluster/prod'),
  named(46, 'gke_project_europe-west1-b_prod'),
  named(46, '//gkemulticloud.googleapis.com/projects/1/locations/europe-west1/awsClusters/prod'),
  named(46, 'navin/api-cluster-example:6443/kube:admin'),
  named(46, 'user@cluster with spaces'),
  named(46, 'Производство 🚀'),
  named(46, '123'),
  named(46, 'true'),
  named(46, '~'),
  named(47, '__proto__'),
  named(47, 'constructor'),
  named(47, 'toString'),
  named(47, 'hasOwnProperty'),
  ...['__proto__', 'constructor', 'prototype'].map((key) =>
    edited(
      47,
      `a key ${key} in a user`,
      (yaml) => yaml.replace('user:\n', `user:\n      ${key}: {exec: {}}\n`),
      'unknown-key',
    ),
  ),
  root(
    48,
    'extensions and preferences at the top',
    { extensions: [INVENTED], preferences: { colors: true, extensions: [INVENTED] } },
    'accept',
  ),
  root(48, 'empty preferences', { preferences: {}, extensions: null }, 'accept'),
  parts(
    48,
    'extensions everywhere',
    { cluster: { extensions: [INVENTED] }, user: { extensions: [INVENTED] }, context: { extensions: [INVENTED] } },
    'accept',
  ),
  parts(48, 'disable-compression', { cluster: { 'disable-compression': true } }, 'accept'),
  parts(48, 'disable-compression that is text', { cluster: { 'disable-compression': 'yes' } }, 'wrong-type'),
  edited(48, 'extensions with an anchor', (yaml) => `${yaml}extensions:\n- &a x\n- *a\n`, 'yaml-features'),
  edited(
    48,
    'extensions with __proto__ as data',
    (yaml) => `${yaml}extensions:\n- name: x\n  extension: {__proto__: {exec: 1}}\n`,
    'accept',
  ),
  edited(56, 'more than 256 KiB', (yaml) => yaml + `# ${'x'.repeat(70)}\n`.repeat(3700), 'too-large'),
  edited(
    56,
    'more than 256 KiB in UTF-8 but not in characters',
    (yaml) => yaml + `# ${'€'.repeat(70)}\n`.repeat(1300),
    'too-large',
  ),
  edited(56, '250 KiB of comments', (yaml) => yaml + `# ${'x'.repeat(70)}\n`.repeat(3400), 'accept'),
  {
    n: 56,
    what: '10,000 contexts',
    input: ({ ca }) => {
      const base = config(ca.certificate);
      const many = Array.from({ length: 10_000 }, (_, i) => `{"name":"${i}"}`).join();
      return text(JSON.stringify(base).replace('"contexts":[', `"contexts":[${many},`));
    },
    expected: 'too-many',
  },
  {
    n: 56,
    what: '1,001 users',
    input: ({ ca }) => {
      const base = config(ca.certificate);
      const many = Array.from({ length: 1000 }, (_, i) => ({ name: `u${i}`, user: {} }));
      return fields({ ...base, users: [...(base.users as unknown[]), ...many] });
    },
    expected: 'too-many',
  },
  {
    n: 56,
    what: 'a merged file with 100 clusters, users and contexts',
    input: ({ ca }) => {
      const base = config(ca.certificate);
      const all = Array.from({ length: 100 }, (_, i) => i);
      return fields({
        ...base,
        clusters: [
          ...(base.clusters as unknown[]),
          ...all.map((i) => ({ name: `c${i}`, cluster: { server: `https://c${i}.example` } })),
        ],
        users: [...(base.users as unknown[]), ...all.map((i) => ({ name: `u${i}`, user: { token: 'x' } }))],
        contexts: [
          ...(base.contexts as unknown[]),
          ...all.map((i) => ({ name: `x${i}`, context: { cluster: `c${i}`, user: `u${i}` } })),
        ],
      });
    },
    expected: 'accept',
  },
  edited(
    56,
    '21 levels in extensions',
    (yaml) => `${yaml}extensions: ${'['.repeat(20)}${']'.repeat(20)}\n`,
    'too-deep',
  ),
  edited(56, '20 levels in extensions', (yaml) => `${yaml}extensions: ${'['.repeat(19)}${']'.repeat(19)}\n`, 'accept'),
  edited(56, '20,000 levels', () => '['.repeat(20_000), 'too-deep'),
  edited(56, '20,000 levels of keys', () => 'a: {'.repeat(20_000), 'too-deep'),
  edited(56, 'NUL', (yaml) => yaml.replace('navin', 'na\0vin'), 'characters'),
  edited(56, 'NUL as an escape', (yaml) => yaml.replace('name: navin', 'name: "na\\0vin"'), 'characters'),
  edited(56, 'an escape character', (yaml) => yaml.replace('navin', 'na\u001bvin'), 'characters'),
  edited(56, 'bytes that were not UTF-8', (yaml) => yaml.replace('navin', 'na\ufffdvin'), 'characters'),
  edited(56, 'half a surrogate pair', (yaml) => yaml.replace('navin', 'na\ud83dvin'), 'characters'),
  edited(
    56,
    'half a surrogate pair as an escape',
    (yaml) => yaml.replace('name: navin', 'name: "na\\ud83dvin"'),
    'characters',
  ),
  edited(56, 'a line separator of YAML 1.1', (yaml) => yaml.replace('navin', 'na\u2028vin'), 'characters'),
  edited(56, 'tabs as indentation', (yaml) => yaml.replace(/^ {4}/gm, '\t'), 'characters'),
  edited(
    56,
    'broken indentation',
    (yaml) => yaml.replace('  cluster:', '      cluster:').replace('- name', '-name'),
    'yaml-syntax',
  ),
  edited(56, 'a quote that does not end', (yaml) => yaml.replace('token: ', 'token: "'), 'yaml-syntax'),
  edited(56, 'half of a file', (yaml) => yaml.slice(0, yaml.indexOf('contexts')), 'current-context'),
  {
    n: 56,
    what: 'a list where a mapping belongs, in an entry that is not used',
    input: ({ ca }) => fields(withUnused(config(ca.certificate), { user: [] as unknown as Fields })),
    expected: 'wrong-type',
  },
];

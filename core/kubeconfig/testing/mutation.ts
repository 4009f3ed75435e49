import fc from 'fast-check';
import { base64, config, type Fields, SERVER, withUnused, yaml } from './kubeconfig';
import type { Kit } from './cases/case';

/** Stands in every text that a mutation brings in: no error may hold it. */
export const CANARY = 'CANARY';

const KEYS = [
  'apiVersion kind clusters users contexts current-context preferences extensions name cluster user context server',
  'certificate-authority-data certificate-authority insecure-skip-tls-verify proxy-url tls-server-name disable-compression',
  'client-certificate-data client-key-data client-certificate client-key token tokenFile token-file as as-uid as-groups',
  'as-user-extra username password auth-provider exec namespace __proto__ constructor toString << certificateAuthorityData',
].flatMap((line) => line.split(' '));

const FRAGMENTS = [
  '&a ',
  '*a',
  '<<: *a\n',
  '!!str ',
  '!!binary ',
  '---\n',
  '...\n',
  '\t',
  '\0',
  '\r',
  '\u2028',
  '\ufeff',
  '#',
  ': ',
  '- ',
  '? ',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '|\n',
  '>-\n',
  '\n',
  '  ',
  '%YAML 1.1\n',
  '\\',
  '\ud800',
  'token: CANARYtoken\n',
  'exec: {command: CANARYcommand}\n',
  'server: https://evil.example\n',
];

const canary = fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((tail) => CANARY + tail);

/** What a mutation puts somewhere: text with a canary, servers, file names, and values of every other type. */
function value(kit: Kit): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: canary },
    fc.constantFrom(
      'https://evil.example:6443',
      'https://api.cluster.example:6444',
      'https://api.cluster.example:6443/CANARYpath?x',
      'https://CANARYuser:CANARYpassword@api.cluster.example:6443',
      'https://api.cluster.example:6443@evil.example',
      'https://127.0.0.1:6443',
      'http://api.cluster.example:6443',
      SERVER,
      `${SERVER}/`,
      '/etc/CANARY/token',
      './CANARY.crt',
      '~/.kube/CANARY',
    ),
    fc.constantFrom(null, true, false, 0, 1.5, '', [], {}, 'true', 'yes'),
    fc.constantFrom(
      base64(kit.ca.certificate),
      base64(kit.otherCa.certificate),
      base64(kit.p256.certificate),
      base64(kit.p256.key),
      base64(kit.rsa.key),
      base64(kit.expired.certificate),
      base64(`${CANARY} is no PEM`),
    ),
    fc.array(canary, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...KEYS), canary, { maxKeys: 2, noNullPrototype: true }),
  );
}

type Edit = (root: Fields) => void;

/** A deep copy. (structuredClone makes objects of another realm under jest, which the YAML writer refuses.) */
function copy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

/** Every mapping and list of a value. */
function containers(node: unknown, found: (Fields | unknown[])[] = []): (Fields | unknown[])[] {
  if (typeof node !== 'object' || node === null) return found;
  found.push(node as Fields | unknown[]);
  for (const child of Object.values(node)) containers(child, found);
  return found;
}

function edit(kit: Kit): fc.Arbitrary<Edit> {
  const at = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
  return fc
    .record({
      kind: fc.constantFrom('set', 'set', 'set', 'change', 'remove', 'repeat', 'turn', 'insert'),
      where: fc.nat(40),
      which: fc.nat(10),
      key: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...KEYS) }, canary),
      value: value(kit),
    })
    .map(({ kind, where, which, key, value: brought }): Edit => (root) => {
      const target = at(containers(root), where);
      if (target === undefined) return;
      if (Array.isArray(target)) {
        if (kind === 'remove') target.splice(which % (target.length + 1), 1);
        else if (kind === 'turn') target.reverse();
        else target.push(kind === 'repeat' ? copy(at(target, which)) : brought);
        return;
      }
      const present = at(Object.keys(target), which);
      if (kind === 'remove' && present !== undefined) Reflect.deleteProperty(target, present);
      else {
        // `target['__proto__'] = …` would set the prototype.
        const name = kind === 'change' && present !== undefined ? present : key;
        Object.defineProperty(target, name, { value: brought, enumerable: true, configurable: true, writable: true });
      }
    });
}

function textEdit(): fc.Arbitrary<(text: string) => string> {
  return fc
    .record({
      kind: fc.constantFrom('insert', 'replace', 'cut', 'double line', 'drop line', 'indent line'),
      where: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(30),
      fragment: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) }, canary),
    })
    .map(({ kind, where, length, fragment }) => (text) => {
      const offset = Math.floor(where * text.length);
      const lines = text.split('\n');
      const line = Math.floor(where * lines.length);
      const original = lines[line] ?? '';
      switch (kind) {
        case 'insert':
          return text.slice(0, offset) + fragment + text.slice(offset);
        case 'replace':
          return text.slice(0, offset) + fragment + text.slice(offset + length);
        case 'cut':
          return text.slice(0, offset) + text.slice(offset + length);
        case 'double line':
          return lines.toSpliced(line, 0, original).join('\n');
        case 'drop line':
          return lines.toSpliced(line, 1).join('\n');
        case 'indent line':
          return lines.toSpliced(line, 1, ' '.repeat(length % 9) + original.trimStart()).join('\n');
      }
    });
}

/** A good kubeconfig: token or certificate, YAML or JSON, with or without entries that are not used. */
function good(kit: Kit): fc.Arbitrary<Fields> {
  const identities: Fields[] = [
    { token: `${CANARY}-token` },
    ...[kit.p256, kit.rsa, kit.ed25519].map(({ certificate, key }) => ({
      token: undefined,
      'client-certificate-data': base64(certificate),
      'client-key-data': base64(key),
    })),
  ];
  return fc
    .record({
      user: fc.constantFrom(...identities),
      namespace: fc.constantFrom(undefined, 'web'),
      unused: fc.boolean(),
    })
    .map(({ user, namespace, unused }) => {
      const base = copy(config(kit.ca.certificate, { user, context: { namespace } }));
      const extra = { cluster: { server: 'https://evil.example' }, user: { token: `${CANARY}-other` } };
      return unused ? withUnused(base, extra) : base;
    });
}

/** The text of a good kubeconfig after some edits of its values and of its text. */
export function mutated(kit: Kit): fc.Arbitrary<string> {
  return fc
    .record({
      value: good(kit),
      edits: fc.array(edit(kit), { maxLength: 3 }),
      json: fc.boolean(),
      textEdits: fc.array(textEdit(), { maxLength: 2 }),
    })
    .map(({ value, edits, json, textEdits }) => {
      const root = copy(value);
      for (const change of edits) change(root);
      const text = json ? JSON.stringify(root, null, 1) : yaml(root);
      return textEdits.reduce((current, change) => change(current), text);
    });
}

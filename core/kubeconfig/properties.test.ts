import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { JSON_SCHEMA, load } from 'js-yaml';
import childProcess from 'node:child_process';
import dns from 'node:dns';
import fs from 'node:fs';
import net from 'node:net';
import { KubeconfigError, ServerMismatchError } from './errors';
import { type GuardResult, targetFromKubeconfig, targetFromToken } from './guard';
import { type Kit, makeKit, text } from './testing/cases/case';
import { base64, config, SERVER, yaml } from './testing/kubeconfig';
import { CANARY, mutated } from './testing/mutation';
import { NOW } from './testing/pki';

/** A bound against hanging, in milliseconds of processor time, so that a busy machine does not matter. */
const BOUND_MS = 1000;

let kit: Kit;
let spies: jest.SpiedFunction<() => unknown>[];
/** How often anything that reaches outside the process was called. */
let reached = 0;

beforeAll(async () => {
  kit = await makeKit();
  // Whatever is loaded lazily is loaded now, before the spies.
  targetFromKubeconfig(text(yaml(config(kit.ca.certificate))));
  spies = [fs, fs.promises, childProcess, net, dns].flatMap((module) =>
    spiesOn(module as unknown as Record<string, unknown>),
  );
});

afterAll(() => {
  for (const spy of spies) spy.mockRestore();
});

describe('whatever is done to a good kubeconfig', () => {
  it('no target talks to another server, and none has an identity that the file does not hold', () => {
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(mutated(kit), (kubeconfig) => {
        const result = guarded(() => targetFromKubeconfig(text(kubeconfig)));
        if (result === undefined) {
          refused++;
          return;
        }
        accepted++;
        const { server, identity, ca } = result.target;
        expect(server).toBe(SERVER);
        const values = leaves(kubeconfig);
        if (identity.type === 'token') expect(values).toContain(identity.token);
        else expect([values.has(base64(identity.certificate)), values.has(base64(identity.key))]).toEqual([true, true]);
        expect(values.has(base64(ca ?? ''))).toBe(true);
      }),
      { numRuns: 2000 },
    );
    // Otherwise the property would hold for the wrong reason.
    expect(accepted).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });

  it('nothing but our errors comes out, for any text at all', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'abc&*!|>%@`"\'#,[]{}:?-<=~ \n\t0'.split('')), maxLength: 200 }),
      fc.json(),
    );
    fc.assert(
      fc.property(any, any, any, any, (kubeconfig, server, ca, token) => {
        guarded(() => targetFromKubeconfig({ kubeconfig, server: SERVER, now: NOW }));
        guarded(() =>
          targetFromKubeconfig({
            kubeconfig: yaml(config(kit.ca.certificate)),
            server,
            ca,
            namespace: token,
            now: NOW,
          }),
        );
        guarded(() => targetFromToken({ server: SERVER, ca, token, now: NOW }));
        guarded(() => targetFromToken({ server, ca: kit.ca.certificate, token, namespace: ca, now: NOW }));
      }),
      { numRuns: 800 },
    );
  });

  it('certificates and keys with changed bytes are refused or read', () => {
    const change = fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 4 });
    const pairs = [kit.p256, kit.rsa, kit.ed25519];
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.constantFrom('ca', 'certificate', 'key'),
        change,
        (pair, which, bytes) => {
          const mutate = (pem: string): string => base64(changed(pem, bytes));
          const user = {
            token: undefined,
            'client-certificate-data': which === 'certificate' ? mutate(pair.certificate) : base64(pair.certificate),
            'client-key-data': which === 'key' ? mutate(pair.key) : base64(pair.key),
          };
          const ca = which === 'ca' ? mutate(kit.ca.certificate) : base64(kit.ca.certificate);
          guarded(() =>
            targetFromKubeconfig(text(yaml(config('', { user, cluster: { 'certificate-authority-data': ca } })))),
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('texts made to be slow', () => {
  const K = 256 * 1024 - 100;
  const fill = (unit: string, head = '', tail = ''): string => head + unit.repeat(Math.floor(K / unit.length)) + tail;
  it.each([
    ['anchors', fill('&a\n')],
    ['tags', fill('!!map\n')],
    [
      'nested tags',
      Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}&a !!map\n${' '.repeat(i)}&b a:\n`).join(''),
    ],
    ['list items', fill('- a\n')],
    ['nested items', fill('- ')],
    ['flow items', fill('a,', '[', ']')],
    ['flow pairs', fill('a:,', '[', ']')],
    ['flow keys', fill('{? ')],
    ['explicit keys', fill('?\n')],
    ['keys', fill('a:\n')],
    ['different keys', Array.from({ length: 30_000 }, (_, i) => `k${i}:`).join('\n')],
    ['documents', fill('---\n')],
    ['comments', fill('#\n')],
    ['blank lines', fill('\n', 'a: |\n', 'b')],
    ['spaces', fill(' ')],
    ['a quote that does not end', fill('a\n', '"')],
    ['one long line that breaks at its end', fill('a,', '[', '"')],
    ['escapes', fill('\\u0041', 'a: "', '"')],
    ['PEM marks', config64(fill('-----BEGIN CERTIFICATE-----').slice(0, 180_000))],
    ['PEM headers', config64(`-----BEGIN X-----${'Proc-Type:'.repeat(15_000)}-----END X-----`)],
    ['PEM blocks', config64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'.repeat(3000))],
    ['base64', yaml(config('', { cluster: { 'certificate-authority-data': 'A'.repeat(250_000) } }))],
    ['a long server', yaml(config('x', { cluster: { server: `https://${'a.'.repeat(100_000)}` } }))],
    ['a long name', yaml(config('x', { context: { cluster: 'a'.repeat(200_000) } }))],
  ])('%s', (_, kubeconfig) => {
    expect(guarded(() => targetFromKubeconfig(text(kubeconfig)))).toBeUndefined();
  });

  it('an RSA key of 100,000 bits', () => {
    // SEQUENCE { version 0, and eight INTEGERs of that size }: parsed by OpenSSL only below the limit of the guard.
    const integer = Buffer.concat([Buffer.from([0x02, 0x82, 0x30, 0xd4]), Buffer.alloc(12_500, 0x7f)]);
    const body = Buffer.concat([Buffer.from([2, 1, 0]), ...Array.from({ length: 8 }, () => integer)]);
    const der = Buffer.concat([
      Buffer.from([0x30, 0x83, body.length >> 16, (body.length >> 8) & 255, body.length & 255]),
      body,
    ]);
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64')}\n-----END RSA PRIVATE KEY-----\n`;
    const user = {
      token: undefined,
      'client-certificate-data': base64(kit.rsa.certificate),
      'client-key-data': base64(key),
    };
    expect(guarded(() => targetFromKubeconfig(text(yaml(config(kit.ca.certificate, { user })))))).toBeUndefined();
  });
});

/** Runs the guard: undefined where it refuses. Fails where it does anything else than refuse in our way, in time. */
function guarded(work: () => GuardResult): GuardResult | undefined {
  const { result, error } = watched(work);
  if (result !== undefined) {
    expect(result.warnings.join()).not.toContain(CANARY);
    return result;
  }
  if (!(error instanceof KubeconfigError) && !(error instanceof ServerMismatchError)) throw error;
  const { message, hint, details, cause } = error;
  expect(JSON.stringify({ message, hint, details })).not.toContain(CANARY);
  expect(cause).toBeUndefined();
  expect(message.length).toBeLessThan(5000);
  return undefined;
}

/** Runs the guard under watch. The stack of the error is not touched: formatting it reads source maps. */
function watched(work: () => GuardResult): { result?: GuardResult; error?: unknown } {
  const before = reached;
  const start = process.cpuUsage();
  let outcome: { result?: GuardResult; error?: unknown };
  try {
    outcome = { result: work() };
  } catch (error) {
    outcome = { error };
  }
  const { user, system } = process.cpuUsage(start);
  expect(reached).toBe(before);
  expect((user + system) / 1000).toBeLessThan(BOUND_MS);
  return outcome;
}

/** Every text in the file, by a parser of its own making. */
function leaves(kubeconfig: string): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const walk = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk);
    else found.add(typeof node === 'string' ? node.replace(/\s/g, '') : node);
  };
  walk(load(kubeconfig, { schema: JSON_SCHEMA }));
  return found;
}

function changed(pem: string, bytes: readonly (readonly [number, number])[]): string {
  const [, label = '', body = ''] = /-----BEGIN (.*)-----([^-]*)/.exec(pem) ?? [];
  const der = Buffer.from(body, 'base64');
  for (const [offset, byte] of bytes) der[offset % der.length] = byte;
  return `-----BEGIN ${label}-----\n${der.toString('base64')}\n-----END ${label}-----\n`;
}

function config64(ca: string): string {
  return yaml(config(ca));
}

function spiesOn(module: Record<string, unknown>): jest.SpiedFunction<() => unknown>[] {
  return Object.keys(module)
    .filter((name) => typeof module[name] === 'function' && /^(?!isIP)[a-z]/.test(name))
    .map((name) => {
      const original = module[name] as (...args: unknown[]) => unknown;
      return jest.spyOn(module as Record<string, () => unknown>, name).mockImplementation((...args: unknown[]) => {
        reached++;
        return original(...args);
      });
    });
}

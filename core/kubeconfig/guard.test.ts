import { beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { NavinError } from '../errors';
import { KubeconfigError } from './errors';
import { type KubeconfigInput, targetFromKubeconfig, targetFromToken, type TokenInput } from './guard';
import { fields, text } from './testing/cases/case';
import { base64, config, SERVER, TOKEN, withUnused, yaml } from './testing/kubeconfig';
import { makeCa, NOW, type Pair, type TestCa } from './testing/pki';

let ca: TestCa;
let pair: Pair;
beforeAll(async () => {
  ca = await makeCa('kubernetes');
  pair = await ca.issue({ kind: 'rsa' });
});

describe('the target', () => {
  it('is rebuilt from the values of the current context', () => {
    const { target, warnings } = targetFromKubeconfig(
      fields(config(ca.certificate, { context: { namespace: 'web' } })),
    );
    expect({ ...target }).toEqual({
      server: SERVER,
      ca: ca.certificate,
      identity: { type: 'token', token: TOKEN },
      namespace: 'web',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(warnings).toEqual([]);
  });

  it('holds certificate and key as canonical PEM, whatever stood around them', () => {
    const { identity } = targetFromKubeconfig(
      certificateInput(`Bag Attributes\n${pair.certificate.replace(/\n/g, '\r\n')}\ntrailing text`, pair.key),
    ).target;
    expect(identity).toEqual({ type: 'clientCertificate', ...pair });
  });

  it('takes the cluster and user of the current context, not the first ones', () => {
    const base = config(ca.certificate, { root: { 'current-context': 'second' } });
    const more = {
      ...withUnused(base, { cluster: { server: 'https://second.example' }, user: { token: 'second' } }),
      contexts: [...(base.contexts as unknown[]), { name: 'second', context: { cluster: 'unused', user: 'unused' } }],
    };
    const { target } = targetFromKubeconfig(fields(more, { server: 'https://second.example', allowPublicCa: true }));
    expect([target.server, target.identity]).toEqual(['https://second.example', { type: 'token', token: 'second' }]);
    expect('ca' in target).toBe(false);
  });

  it('has the canonical form of the server', () => {
    const input = fields(config(ca.certificate, { cluster: { server: 'https://H.Example:0443/k8s/' } }), {
      server: 'https://h.example/k8s',
    });
    expect(targetFromKubeconfig(input).target.server).toBe('https://h.example/k8s');
  });

  it('keeps each CA certificate once', () => {
    const { target } = targetFromKubeconfig(fields(config(ca.certificate.repeat(3))));
    expect(target.ca).toBe(ca.certificate);
  });

  it('cannot be changed', () => {
    const { target } = targetFromKubeconfig(fields(config(ca.certificate)));
    expect([Object.isFrozen(target), Object.isFrozen(target.identity)]).toEqual([true, true]);
  });

  it('shows no secret when it is printed or turned into JSON', () => {
    for (const input of [fields(config(ca.certificate)), certificateInput(pair.certificate, pair.key)]) {
      const { target } = targetFromKubeconfig(input);
      for (const shown of [inspect(target, { depth: 9 }), JSON.stringify(target), JSON.stringify({ target })]) {
        expect(shown).not.toContain(TOKEN);
        expect(shown).not.toContain(pair.key.slice(40, 60));
        expect(shown).toContain(target.identity.type);
      }
    }
  });
});

describe('the namespace', () => {
  it.each([
    [undefined, undefined, 'default'],
    [undefined, 'web', 'web'],
    ['shop', 'web', 'shop'],
    ['', 'web', 'web'],
    ['', '', 'default'],
    ['a'.repeat(63), undefined, 'a'.repeat(63)],
  ])('registered %p, context %p: %p', (registered, fromContext, expected) => {
    const input = fields(config(ca.certificate, { context: { namespace: fromContext } }), {
      ...(registered === undefined ? {} : { namespace: registered }),
    });
    expect(targetFromKubeconfig(input).target.namespace).toBe(expected);
  });

  it.each(['Web', 'a/b', '..', '-a', 'a-', 'a.b', '*', ' web', 'a'.repeat(64)])('%p is refused', (namespace) => {
    expect(ruleOf(() => targetFromKubeconfig(fields(config(ca.certificate), { namespace })))).toBe('namespace');
    expect(ruleOf(() => targetFromKubeconfig(fields(config(ca.certificate, { context: { namespace } }))))).toBe(
      'namespace',
    );
    expect(ruleOf(() => targetFromToken(tokenInput({ namespace })))).toBe('namespace');
  });
});

describe('the fingerprint', () => {
  it('is the same for the same target, however it was written', () => {
    const base = config(ca.certificate);
    const inputs = [
      fields(base),
      text(JSON.stringify(base)),
      fields(withUnused(base, { user: { token: 'x' } })),
      fields(config(ca.certificate, { context: { namespace: 'other' } })),
    ];
    const all = inputs.map((input) => targetFromKubeconfig(input).target.fingerprint);
    const fromToken = targetFromToken(tokenInput()).target.fingerprint;
    expect(new Set([...all, fromToken]).size).toBe(1);
  });

  it('differs with server, CA and identity', async () => {
    const other = await makeCa('other');
    const inputs: Partial<TokenInput>[] = [
      {},
      { server: 'https://api.cluster.example' },
      { token: 'other' },
      { ca: other.certificate },
      { ca: ca.certificate + other.certificate },
      { ca: undefined, allowPublicCa: true },
    ];
    const all = inputs.map((input) => targetFromToken(tokenInput(input)).target.fingerprint);
    const certificate = targetFromKubeconfig(certificateInput(pair.certificate, pair.key)).target.fingerprint;
    expect(new Set([...all, certificate]).size).toBe(inputs.length + 1);
  });
});

describe('API server, CA and token', () => {
  it('make a target', () => {
    const { target, warnings } = targetFromToken(tokenInput({ namespace: 'web' }));
    expect({ ...target }).toEqual({
      server: SERVER,
      ca: ca.certificate,
      identity: { type: 'token', token: TOKEN },
      namespace: 'web',
      fingerprint: expect.any(String),
    });
    expect(warnings).toEqual([]);
  });

  it.each<[string, Partial<TokenInput>, string]>([
    ['http', { server: 'http://api.cluster.example' }, 'server-scheme'],
    ['no server', { server: '' }, 'server-address'],
    ['loopback', { server: 'https://127.0.0.1:6443' }, 'server-address'],
    ['user name', { server: 'https://u:p@api.cluster.example' }, 'server-address'],
    ['no CA', { ca: '' }, 'ca-missing'],
    ['a CA that is none', { ca: 'x' }, 'ca-invalid'],
    ['no token', { token: '' }, 'token-format'],
    ['a token with a line break', { token: 'a\nb' }, 'token-format'],
    ['a token that is an object', { token: {} as string }, 'wrong-type'],
    ['a server that is a number', { server: 1 as unknown as string }, 'wrong-type'],
    ['a CA that is an object', { ca: {} as string }, 'wrong-type'],
  ])('are checked like a kubeconfig: %s', (_, change, rule) => {
    expect(ruleOf(() => targetFromToken(tokenInput(change)))).toBe(rule);
  });

  it('admit the loopback address of the development setting only', () => {
    const devApiServer = { address: '127.0.0.1', port: 6443 };
    const server = 'https://127.0.0.1:6443';
    expect(targetFromToken(tokenInput({ server, devApiServer })).target.server).toBe(server);
    expect(ruleOf(() => targetFromToken(tokenInput({ server: 'https://127.0.0.1:6444', devApiServer })))).toBe(
      'server-address',
    );
  });
});

describe('validity', () => {
  it('uses the current time by default', () => {
    const input = { kubeconfig: yaml(config(ca.certificate)), server: SERVER };
    expect(ruleOf(() => targetFromKubeconfig({ ...input, now: new Date(0) }))).toBe('ca-validity');
    const real = Date.now() < Date.parse(new X509Certificate(ca.certificate).validFrom) ? 'ca-validity' : 'accepted';
    expect(ruleOf(() => targetFromKubeconfig(input))).toBe(real);
  });

  it('refuses a CA that has expired, and warns of one that will', async () => {
    const expired = await makeCa('old', { to: -120 });
    const expiring = await makeCa('soon', { to: 3600 * 30 });
    expect(ruleOf(() => targetFromToken(tokenInput({ ca: expired.certificate })))).toBe('ca-validity');
    expect(targetFromToken(tokenInput({ ca: expiring.certificate })).warnings).toEqual([
      'The CA of the cluster expires in 1 day.',
    ]);
    expect(targetFromToken(tokenInput({ ca: expired.certificate + ca.certificate })).warnings).toEqual([
      '1 of the 2 CA certificates have expired or are not valid yet.',
    ]);
  });

  it('never takes an invalid clock for a valid certificate', () => {
    expect(() => targetFromToken(tokenInput({ now: new Date(Number.NaN) }))).toThrow(NavinError);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'ends in 50 minutes',
      jwt({ exp: seconds(3000) }),
      ['The token expires in 50 minutes. See docs/kubeconfig.md#tokens'],
    ],
    [
      'ended two days ago',
      jwt({ exp: seconds(-2 * 86_400 - 9) }),
      ['The token expired 2 days ago. See docs/kubeconfig.md#tokens'],
    ],
    ['ends next year', jwt({ exp: seconds(300 * 86_400) }), []],
    ['has no end', jwt({ sub: 'x' }), []],
    ['has an end that is text', jwt({ exp: 'soon' }), []],
    ['is not a JWT', 'a.b.c', []],
    [
      'is base64 of a JWT',
      base64(TOKEN),
      ['The token looks like base64 of a token: decode it first (base64 --decode).'],
    ],
  ])('of a token that %s', (_, token, warnings) => {
    expect(targetFromToken(tokenInput({ token })).warnings).toEqual(warnings);
  });

  it('warns of a certificate that is not for clients', async () => {
    const server = await ca.issue({ usage: 'server' });
    expect(targetFromKubeconfig(certificateInput(server.certificate, server.key)).warnings).toEqual([
      'The client certificate is not made for client authentication: API servers refuse it.',
    ]);
  });
});

function tokenInput(change: Partial<TokenInput> = {}): TokenInput {
  return { server: SERVER, ca: ca.certificate, token: TOKEN, now: NOW, ...change };
}

function certificateInput(certificate: string, key: string): KubeconfigInput {
  const user = { token: undefined, 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
  return fields(config(ca.certificate, { user }));
}

function jwt(claims: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
}

function seconds(fromNow: number): number {
  return NOW.getTime() / 1000 + fromNow;
}

function ruleOf(work: () => unknown): string {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (error instanceof KubeconfigError) return error.rule;
    throw error;
  }
}

import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { targetFromKubeconfig, targetFromToken, withRotatingToken, type ClusterTarget, type TokenSource } from '.';
import { config, SERVER, yaml } from './testing/kubeconfig';
import { makeCa, NOW } from './testing/pki';

const FIRST = 'first-token-1f2e3d';
const SECOND = 'second-token-4c5b6a';

interface Rotating {
  readonly target: ClusterTarget;
  readonly first: ClusterTarget;
  readonly faults: unknown[];
}

async function rotating(read: () => string): Promise<Rotating> {
  const { certificate } = await makeCa('cluster');
  const { target: first } = targetFromToken({ server: SERVER, ca: certificate, token: FIRST, now: NOW });
  const faults: unknown[] = [];
  const source: TokenSource = {
    read,
    onFault: (error) => {
      faults.push(error);
    },
  };
  return { target: withRotatingToken(first, source), first, faults };
}

const tokenOf = ({ identity }: ClusterTarget): string => (identity.type === 'token' ? identity.token : '');

describe('a target with a token that rotates', () => {
  it('has the token as it is now, on the same connections', async () => {
    let text = FIRST;
    const { target, first, faults } = await rotating(() => text);
    expect(tokenOf(target)).toBe(FIRST);
    text = SECOND;
    expect(tokenOf(target)).toBe(SECOND);
    expect(tokenOf(first)).toBe(FIRST);
    expect([target.fingerprint, target.server, target.ca]).toEqual([first.fingerprint, first.server, first.ca]);
    expect(faults).toEqual([]);
  });

  it('keeps the last good token while there is none', async () => {
    let read = (): string => SECOND;
    const { target, faults } = await rotating(() => read());
    expect(tokenOf(target)).toBe(SECOND);
    read = () => {
      throw new Error('gone');
    };
    expect(tokenOf(target)).toBe(SECOND);
    read = () => 'two\r\nlines: of a header';
    expect(tokenOf(target)).toBe(SECOND);
    read = () => '';
    expect(tokenOf(target)).toBe(SECOND);
    expect(faults.map((error) => (error as Error).message)).toEqual([
      'gone',
      'The token has spaces, line breaks or characters that are not printable ASCII',
      'The token is empty',
    ]);
  });

  it('shows no token when it is printed', async () => {
    const { target } = await rotating(() => SECOND);
    const shown = `${inspect(target, { depth: 9, showHidden: true, getters: true })} ${JSON.stringify(target)}`;
    expect(shown).not.toContain(SECOND);
    expect(shown).not.toContain(FIRST);
    expect(shown).toContain("type: 'token'");
  });

  it('is no target with a certificate', async () => {
    const ca = await makeCa('cluster');
    const pair = await ca.issue();
    const user = {
      token: undefined,
      'client-certificate-data': Buffer.from(pair.certificate).toString('base64'),
      'client-key-data': Buffer.from(pair.key).toString('base64'),
    };
    const { target } = targetFromKubeconfig({
      kubeconfig: yaml(config(ca.certificate, { user })),
      server: SERVER,
      now: NOW,
    });
    const source = { read: () => FIRST, onFault: () => undefined };
    expect(() => withRotatingToken(target, source)).toThrow('A target without a token cannot rotate it');
  });
});

import type { KubeconfigInput } from '../../guard';
import type { RuleName } from '../../rules';
import { config, type Fields, type Parts, SERVER, yaml } from '../kubeconfig';
import { makeCa, NOW, type Pair, rewriteKey, type TestCa } from '../pki';

/** Certificates and keys that the cases need, made once. */
export interface Kit {
  readonly ca: TestCa;
  readonly otherCa: TestCa;
  /** Self-signed, basicConstraints CA:FALSE. */
  readonly notCa: Pair;
  readonly p256: Pair;
  readonly rsa: Pair;
  readonly ed25519: Pair;
  readonly expired: Pair;
  readonly expiredWithinSkew: Pair;
  readonly future: Pair;
  readonly futureWithinSkew: Pair;
  readonly expiring: Pair;
}

export async function makeKit(): Promise<Kit> {
  const ca = await makeCa('kubernetes');
  return {
    ca,
    otherCa: await makeCa('other'),
    notCa: await makeCa('server', { ca: false }),
    p256: await ca.issue(),
    rsa: await ca.issue({ kind: 'rsa' }),
    ed25519: await ca.issue({ kind: 'ed25519' }),
    expired: await ca.issue({ from: -86_400, to: -3600 }),
    expiredWithinSkew: await ca.issue({ to: -30 }),
    future: await ca.issue({ from: 120 }),
    futureWithinSkew: await ca.issue({ from: 30 }),
    expiring: await ca.issue({ to: 3 * 86_400 + 60 }),
  };
}

/** `accept`, `mismatch` (k8s_server_mismatch), a rule, or an accepted kubeconfig with a warning. */
export type Expected = 'accept' | 'mismatch' | RuleName | { readonly warns: RegExp };

/** A row of the table of research, or a variant of one. */
export interface Case {
  /** Number in the table of 56 cases. */
  readonly n: number;
  readonly what: string;
  readonly input: (kit: Kit) => KubeconfigInput;
  readonly expected: Expected;
}

/** The input for a kubeconfig given as text. */
export function text(kubeconfig: string, more: Partial<KubeconfigInput> = {}): KubeconfigInput {
  return { kubeconfig, server: SERVER, now: NOW, ...more };
}

/** The input for a kubeconfig given as object. */
export function fields(value: Fields, more: Partial<KubeconfigInput> = {}): KubeconfigInput {
  return text(yaml(value), more);
}

/** A case that changes parts of the good kubeconfig. */
export function parts(n: number, what: string, change: Parts, expected: Expected): Case {
  return { n, what, input: ({ ca }) => fields(config(ca.certificate, change)), expected };
}

/** A case whose kubeconfig has this server while `registered` is registered. */
export function servers(n: number, found: unknown, registered: string, expected: Expected): Case {
  return {
    n,
    what: `server ${JSON.stringify(found)} where ${registered} is registered`,
    input: ({ ca }) => fields(config(ca.certificate, { cluster: { server: found } }), { server: registered }),
    expected,
  };
}

/** A case that edits the YAML text of the good kubeconfig. */
export function edited(n: number, what: string, edit: (yaml: string) => string, expected: Expected): Case {
  return { n, what, input: ({ ca }) => text(edit(yaml(config(ca.certificate)))), expected };
}

export { rewriteKey };

import { beforeAll, describe, expect, it } from '@jest/globals';
import { KubeconfigError, ServerMismatchError } from './errors';
import { targetFromKubeconfig } from './guard';
import { KUBECONFIG_RULES } from './rules';
import { type Case, type Kit, makeKit } from './testing/cases/case';
import { CREDENTIAL_CASES } from './testing/cases/credentials';
import { DOCUMENT_CASES } from './testing/cases/document';
import { ENTRY_CASES } from './testing/cases/entries';
import { SERVER_CASES } from './testing/cases/server';

const CASES = [...CREDENTIAL_CASES, ...DOCUMENT_CASES, ...ENTRY_CASES, ...SERVER_CASES].sort((a, b) => a.n - b.n);
/** Where no kubeconfig of the tables can lead: checked in other tests. */
const ELSEWHERE = ['namespace', 'ca-validity'];

let kit: Kit;
beforeAll(async () => {
  kit = await makeKit();
});

describe('the 56 cases', () => {
  it.each(CASES.map((row) => [`${row.n}: ${row.what.slice(0, 120)}`, row] as const))(
    '%s',
    (_, { input, expected }: Case) => {
      const outcome = run(() => targetFromKubeconfig(input(kit)));
      expect(outcome).toEqual(
        typeof expected === 'string' ? expected : { warns: expect.stringMatching(expected.warns) },
      );
    },
  );

  it('are all there', () => {
    expect([...new Set(CASES.map(({ n }) => n))]).toEqual(Array.from({ length: 56 }, (_, i) => i + 1));
  });

  it('show every rule', () => {
    const shown = new Set<unknown>(CASES.map(({ expected }) => expected));
    expect(Object.keys(KUBECONFIG_RULES).filter((rule) => !shown.has(rule) && !ELSEWHERE.includes(rule))).toEqual([]);
  });
});

function run(guard: () => { readonly warnings: readonly string[] }): unknown {
  try {
    const { warnings } = guard();
    return warnings.length === 0 ? 'accept' : { warns: warnings.join(' ') };
  } catch (error) {
    if (error instanceof ServerMismatchError) return 'mismatch';
    if (error instanceof KubeconfigError) return error.rule;
    throw error;
  }
}

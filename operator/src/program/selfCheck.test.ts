import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../../../core/errors';
import type { AccessAttributes } from '../../../core/kube';
import { createLogger } from '../telemetry';
import { selfCheck, type SelfCheckMeans } from './selfCheck';

interface Answers {
  readonly definition?: () => Promise<unknown>;
  readonly allows?: (right: AccessAttributes) => boolean;
  readonly namespaces?: readonly string[];
}

/** The lines of the log: level, message, and what it is about. */
async function check({ definition, allows, namespaces = ['shop', 'billing'] }: Answers): Promise<unknown[]> {
  const lines: unknown[] = [];
  const log = createLogger('info', {
    write: (text: string) => {
      const { level, msg, namespace, missing, crd, err } = JSON.parse(text) as Record<string, unknown>;
      lines.push([level, msg, ...[namespace, missing, crd, err].filter((part) => part !== undefined)]);
    },
  });
  const client = {
    resourceFor: definition ?? (() => Promise.resolve({})),
    reviewAccess: (right: AccessAttributes) => Promise.resolve({ allowed: allows?.(right) ?? true }),
  } as SelfCheckMeans['client'];
  const options = { namespaces, lease: { namespace: 'navin', name: 'navin-operator' } };
  await selfCheck({ client, options, log, signal: new AbortController().signal });
  return lines;
}

const RIGHTS = 'Rights are missing: see operator/config/rbac.';

describe('the check at the start', () => {
  it('says nothing when all is there', async () => {
    expect(await check({})).toEqual([]);
  });

  it('says which rights are missing, namespace by namespace', async () => {
    const allows = ({ verb, namespace }: AccessAttributes): boolean =>
      !(namespace === 'shop' && verb === 'watch') && verb !== 'create';
    expect(await check({ allows })).toEqual([
      ['warn', RIGHTS, 'shop', ['watch managedcomponents.platform.navin.ai']],
      ['warn', RIGHTS, 'navin', ['create leases.coordination.k8s.io']],
    ]);
  });

  it('asks for each of many namespaces', async () => {
    const namespaces = Array.from({ length: 100 }, (_, index) => `n${index}`);
    const lines = await check({ namespaces, allows: () => false });
    expect(lines).toHaveLength(101);
  });

  it('says what to install when the cluster does not know ManagedComponents', async () => {
    const definition = (): Promise<unknown> => Promise.reject(new NavinError('k8s_not_found', 'No such kind.'));
    expect(await check({ definition })).toEqual([
      [
        'error',
        'The cluster does not know ManagedComponents: install the CustomResourceDefinition.',
        'operator/config/crd/platform.navin.ai_managedcomponents.yaml',
      ],
    ]);
  });

  it('says that nothing is known when the cluster does not answer', async () => {
    const definition = (): Promise<unknown> => Promise.reject(new NavinError('k8s_unreachable', 'Refused.'));
    expect(await check({ definition })).toEqual([
      [
        'warn',
        'It could not be checked whether everything is set up.',
        { code: 'k8s_unreachable', message: 'Refused.' },
      ],
    ]);
  });
});

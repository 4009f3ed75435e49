import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord, type KubeObject } from '../../../core/kube';
import { readManifest } from '../../../core/manifest';
import { sharedCluster } from '../../../test/cluster/jest';
import { DEPLOYMENT } from './deployment';
import { Installation } from './testing/installation';

const cluster = sharedCluster();
const OPERATOR = join(__dirname, '../..');
let installation: Installation;
let folder: string;

beforeAll(async () => {
  installation = await Installation.begin(cluster());
  await installation.apply('namespace.yaml', 'rbac/service_account.yaml');
  folder = mkdtempSync(join(tmpdir(), 'navin-overlay-'));
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await installation.remove();
});

/** A YAML block of the README. */
function example(name: string): string {
  const readme = readFileSync(join(OPERATOR, 'README.md'), 'utf8');
  const [, yaml] = new RegExp(`<!-- example:${name} -->\\s+\`\`\`yaml\\n([^]*?)\`\`\``).exec(readme) ?? [];
  if (yaml === undefined) throw new Error(`the README has no example ${name}`);
  return yaml;
}

interface PodParts {
  readonly args?: readonly string[];
  readonly initContainers?: readonly object[];
  readonly volumeMounts?: readonly object[];
  readonly volumes?: readonly object[];
}

/** Whether the API server takes a Pod of the operator with parts of an example in the namespace of the operator. */
async function admits({ args, initContainers, volumeMounts = [], volumes = [] }: PodParts): Promise<string> {
  const { template } = (DEPLOYMENT.object as { spec: { template: { spec: KubeObject & PodSpec } } }).spec;
  const [container] = template.spec.containers;
  const spec = {
    ...template.spec,
    ...(initContainers === undefined ? {} : { initContainers }),
    containers: [
      {
        ...container,
        ...(args === undefined ? {} : { args }),
        volumeMounts: [...(container?.volumeMounts ?? []), ...volumeMounts],
      },
    ],
    volumes: [...template.spec.volumes, ...volumes],
  };
  const path = `/api/v1/namespaces/${installation.own}/pods?dryRun=All&fieldValidation=Strict`;
  const { status, text } = await cluster().request('POST', path, { body: { metadata: { name: 'example' }, spec } });
  return status === 201 ? 'admitted' : text;
}

interface PodSpec {
  readonly containers: readonly { readonly volumeMounts?: readonly object[] }[];
  readonly volumes: readonly object[];
}

describe('an example of the README', () => {
  it('changes by Kustomize what has to be changed, and nothing else', async () => {
    cpSync(join(OPERATOR, 'config'), join(folder, 'config'), { recursive: true });
    const binding = readFileSync(join(OPERATOR, 'config/rbac/role_binding.yaml'), 'utf8');
    writeFileSync(join(folder, 'billing.yaml'), binding.replace('namespace: navin-platform', 'namespace: billing'));
    writeFileSync(join(folder, 'kustomization.yaml'), example('overlay'));
    const objects = readManifest(await cluster().kubectl(['kustomize', folder])) as readonly KubeObject[];
    const bindings = objects.filter(({ kind }) => kind === 'RoleBinding');
    expect(bindings.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`).sort()).toEqual([
      'billing/navin-operator',
      'navin-system/navin-operator-leader-election',
      'shop/navin-operator',
    ]);
    const [deployment] = objects.filter(({ kind }) => kind === 'Deployment');
    const { template } = deployment?.spec as { template: { spec: { containers: readonly object[] } } };
    expect(template.spec.containers).toEqual([
      {
        ...(DEPLOYMENT.object as { spec: { template: { spec: { containers: readonly object[] } } } }).spec.template.spec
          .containers[0],
        image: 'registry.bank.example/platform/operator:0.1.0',
        args: ['--namespaces=shop,billing', '--oci-registries=registry.bank.example'],
      },
    ]);
  });

  it.each(['init', 'registry'])('is a Pod that the namespace of the operator takes: %s', async (name) => {
    const [parts] = readManifest(example(name));
    if (!isRecord(parts)) throw new Error('no parts of a Pod');
    expect(await admits(parts as PodParts)).toBe('admitted');
  });
});

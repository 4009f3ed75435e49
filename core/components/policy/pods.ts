import { isRecord } from '../../kube';
import { at, fields, items, list, textAt } from '../fields';
import { isInlineSecret } from '../secrets';
import { finding, shown, type Finding } from './violation';

/** What the Pods of a chart may use. */
export interface PodRights {
  /** Secrets that may be mounted and read. */
  readonly secrets: ReadonlySet<string>;
  /** Secrets that images may be pulled with. */
  readonly pullSecrets: ReadonlySet<string>;
  /** ServiceAccounts that Pods may run as. */
  readonly serviceAccounts: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

const HOST_NAMESPACES = ['hostNetwork', 'hostPID', 'hostIPC'] as const;
/** The kinds of volumes of the restricted Pod Security Standard, and images. */
const VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** The first thing that is not allowed in the spec of Pods. */
export function podFinding(spec: Fields, path: string, rights: PodRights): Finding | undefined {
  return (
    hostFinding(spec, path) ??
    accountFinding(spec, path, rights) ??
    pullSecretFinding(spec, path, rights) ??
    first(items(spec, 'volumes'), (volume, index) => volumeFinding(volume, `${path}.volumes[${index}]`, rights)) ??
    first(['initContainers', 'containers', 'ephemeralContainers'], (name) =>
      first(items(spec, name), (container, index) => containerFinding(container, `${path}.${name}[${index}]`, rights)),
    )
  );
}

/** Names of Secrets that a ServiceAccount brings along. */
export function serviceAccountFinding(account: Fields, rights: PodRights): Finding | undefined {
  return (
    pullSecretFinding(account, '', rights) ??
    first(items(account, 'secrets'), ({ name }, index) => secretFinding(name, `secrets[${index}].name`, rights))
  );
}

function hostFinding(spec: Fields, path: string): Finding | undefined {
  const used = HOST_NAMESPACES.find((name) => spec[name] === true);
  if (used !== undefined) return finding('ForbiddenPod', `Pods may not use ${used}.`, `${path}.${used}`);
  if (at(spec, 'securityContext', 'windowsOptions', 'hostProcess') === true) {
    return finding('ForbiddenPod', 'Pods may not be processes of the host.', `${path}.securityContext.windowsOptions`);
  }
  return undefined;
}

function accountFinding(spec: Fields, path: string, rights: PodRights): Finding | undefined {
  const field = ['serviceAccountName', 'serviceAccount'].find((name) => {
    const account = spec[name];
    const isFine = account === undefined || account === '' || account === 'default';
    return !isFine && !(typeof account === 'string' && rights.serviceAccounts.has(account));
  });
  if (field === undefined) return undefined;
  const message = `Pods may run as the ServiceAccount default or one the chart renders, not as ${shown(spec[field])}.`;
  return finding('ForbiddenServiceAccount', message, `${path}.${field}`);
}

function pullSecretFinding(spec: Fields, path: string, rights: PodRights): Finding | undefined {
  return first(items(spec, 'imagePullSecrets'), ({ name }, index) => {
    if (typeof name === 'string' && (rights.pullSecrets.has(name) || rights.secrets.has(name))) return undefined;
    const place = `${path === '' ? '' : `${path}.`}imagePullSecrets[${index}].name`;
    const message = `The Secret ${shown(name)} may not be used to pull images: neither the operator nor secretRefs names it.`;
    return finding('ForbiddenSecret', message, place);
  });
}

function secretFinding(name: unknown, path: string, rights: PodRights): Finding | undefined {
  if (typeof name === 'string' && rights.secrets.has(name)) return undefined;
  return finding('ForbiddenSecret', `The Secret ${shown(name)} is used, but secretRefs does not name it.`, path);
}

function volumeFinding(volume: Fields, path: string, rights: PodRights): Finding | undefined {
  const kinds = Object.keys(volume).filter((name) => name !== 'name');
  const forbidden = kinds.find((kind) => !VOLUMES.has(kind));
  if (forbidden !== undefined) {
    const name = shown(forbidden);
    return finding('ForbiddenPod', `Volumes of the kind ${name} are not allowed.`, `${path}.${name}`);
  }
  if (isRecord(volume.secret)) return secretFinding(volume.secret.secretName, `${path}.secret.secretName`, rights);
  const published = at(volume, 'csi', 'nodePublishSecretRef');
  if (isRecord(published)) return secretFinding(published.name, `${path}.csi.nodePublishSecretRef.name`, rights);
  return first(items(volume, 'projected', 'sources'), (source, index) =>
    isRecord(source.secret)
      ? secretFinding(source.secret.name, `${path}.projected.sources[${index}].secret.name`, rights)
      : undefined,
  );
}

function containerFinding(container: Fields, path: string, rights: PodRights): Finding | undefined {
  const context = fields(container, 'securityContext');
  const place = `${path}.securityContext`;
  if (context.privileged === true) {
    return finding('ForbiddenPod', 'Containers may not be privileged.', `${place}.privileged`);
  }
  if (list(context, 'capabilities', 'add').length > 0) {
    return finding('ForbiddenPod', 'Containers may not add capabilities.', `${place}.capabilities.add`);
  }
  if (context.procMount !== undefined && context.procMount !== 'Default') {
    return finding('ForbiddenPod', 'Containers may not see all of /proc.', `${place}.procMount`);
  }
  if (at(context, 'windowsOptions', 'hostProcess') === true) {
    return finding('ForbiddenPod', 'Containers may not be processes of the host.', `${place}.windowsOptions`);
  }
  return (
    first(items(container, 'ports'), ({ hostPort }, index) =>
      hostPort === undefined || hostPort === 0
        ? undefined
        : finding('ForbiddenPod', 'Containers may not use ports of the host.', `${path}.ports[${index}].hostPort`),
    ) ??
    first(items(container, 'env'), (variable, index) => variableFinding(variable, `${path}.env[${index}]`, rights)) ??
    first(items(container, 'envFrom'), ({ secretRef }, index) =>
      isRecord(secretRef)
        ? secretFinding(secretRef.name, `${path}.envFrom[${index}].secretRef.name`, rights)
        : undefined,
    )
  );
}

function variableFinding(variable: Fields, path: string, rights: PodRights): Finding | undefined {
  const reference = at(variable, 'valueFrom', 'secretKeyRef');
  if (isRecord(reference)) return secretFinding(reference.name, `${path}.valueFrom.secretKeyRef.name`, rights);
  const [name, value] = [textAt(variable, 'name') ?? '', textAt(variable, 'value')];
  if (value === undefined || !isInlineSecret(name, value)) return undefined;
  return finding('InlineSecret', `The variable ${shown(name)} holds a secret as text.`, `${path}.value`);
}

/** The first finding among several things. */
export function first<T>(
  things: readonly T[],
  look: (thing: T, index: number) => Finding | undefined,
): Finding | undefined {
  for (const [index, thing] of things.entries()) {
    const found = look(thing, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

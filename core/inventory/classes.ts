import type { KubeObject } from '../kube';
import { at, defined, textAt } from './reading';

/** A StorageClass. */
export interface StorageClass {
  readonly name: string;
  readonly provisioner?: string;
  readonly default: boolean;
  readonly reclaimPolicy: string;
  readonly volumeBindingMode: string;
  readonly allowsExpansion: boolean;
}

/** An IngressClass. */
export interface IngressClass {
  readonly name: string;
  readonly controller?: string;
  readonly default: boolean;
}

/** The annotation of today, and the one that some clusters still have. */
const DEFAULT_STORAGE = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const DEFAULT_INGRESS = ['ingressclass.kubernetes.io/is-default-class'];

/** Reads a StorageClass; what it leaves out has the default of the API. */
export function readStorageClass(object: KubeObject): StorageClass {
  return defined({
    name: textAt(object, 'metadata', 'name') ?? '',
    provisioner: textAt(object, 'provisioner'),
    default: isDefault(object, DEFAULT_STORAGE),
    reclaimPolicy: textAt(object, 'reclaimPolicy') ?? 'Delete',
    volumeBindingMode: textAt(object, 'volumeBindingMode') ?? 'Immediate',
    allowsExpansion: at(object, 'allowVolumeExpansion') === true,
  });
}

/** Reads an IngressClass. */
export function readIngressClass(object: KubeObject): IngressClass {
  return defined({
    name: textAt(object, 'metadata', 'name') ?? '',
    controller: textAt(object, 'spec', 'controller'),
    default: isDefault(object, DEFAULT_INGRESS),
  });
}

function isDefault(object: KubeObject, annotations: readonly string[]): boolean {
  return annotations.some((name) => textAt(object, 'metadata', 'annotations', name) === 'true');
}

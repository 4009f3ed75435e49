import { renderFailed } from '../charts';

/** A chart of a registry, pinned by the digest of its manifest. */
export interface OciReference {
  /** Host with its port, where one is given. */
  readonly host: string;
  /** The path of the repository, such as `charts/web`. */
  readonly repository: string;
  /** `sha256:…` */
  readonly digest: string;
}

const HOST = '[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?';
const REFERENCE = new RegExp(
  `^oci://(${HOST})/([a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)@(sha256:[0-9a-f]{64})$`,
);

/** @throws ChartError */
export function parseReference(text: string): OciReference {
  const [, host, repository, digest] = REFERENCE.exec(text) ?? [];
  if (text.length > 512 || host === undefined || repository === undefined || digest === undefined) {
    throw renderFailed('The reference of the chart must be oci://host/path@sha256:<64 hex digits>.');
  }
  return { host, repository, digest };
}

/** Whether a text names a host with or without a port, as `--oci-registries` lists them. */
export function isRegistryHost(text: string): boolean {
  return new RegExp(`^${HOST}$`).test(text) && URL.canParse(`https://${text}`);
}

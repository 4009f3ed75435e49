import { createHash } from 'node:crypto';

/** A chart as a registry holds it: its archive, and the manifest that names it. */
export interface RegistryContent {
  readonly archive: Buffer;
  readonly manifest: Buffer;
  /** Of the manifest. */
  readonly digest: string;
  readonly archiveDigest: string;
}

export const CONFIG = Buffer.from('{}');
export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';

export const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** @param change changes the manifest before it gets its digest */
export function contentOf(
  archive: Buffer,
  change: (manifest: Record<string, unknown>) => Record<string, unknown> = (manifest) => manifest,
): RegistryContent {
  const archiveDigest = digestOf(archive);
  const manifest = Buffer.from(
    JSON.stringify(
      change({
        schemaVersion: 2,
        mediaType: MANIFEST_TYPE,
        config: {
          mediaType: 'application/vnd.cncf.helm.config.v1+json',
          digest: digestOf(CONFIG),
          size: CONFIG.length,
        },
        layers: [
          {
            mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
            digest: archiveDigest,
            size: archive.length,
          },
        ],
      }),
    ),
  );
  return { archive, manifest, digest: digestOf(manifest), archiveDigest };
}

import { gzipSync } from 'node:zlib';

/** An entry of an archive; `type` as tar has it: 0 file, 2 symbolic link, 5 folder. */
export interface Entry {
  readonly path: string;
  readonly text?: string | Buffer;
  readonly type?: string;
}

/** A tar archive (ustar), whatever its entries say. */
export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = '0' }) => {
    const bytes = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100, 'utf8');
    header.write('0000644\0', 100, 'latin1');
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write(type, 156, 'latin1');
    if (type === '2') header.write('/etc/hostname', 157, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    header.fill(0x20, 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A chart as `helm package` packs it: files by their path below the folder. */
export function packed(files: Readonly<Record<string, string | Buffer>>, folder = 'web'): Buffer {
  return gzipSync(tarOf(Object.entries(files).map(([path, text]) => ({ path: `${folder}/${path}`, text }))));
}

/** What every chart needs. */
export function chartYaml(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ apiVersion: 'v2', name: 'web', version: '1.0.0', ...more });
}

/** One block of PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** `undefined` where the block has headers or its content is not base64. */
  readonly der: Buffer | undefined;
  /** Whether the headers say that the content is encrypted (`Proc-Type: 4,ENCRYPTED`, RFC 1421). */
  readonly encrypted: boolean;
}

const MARK = '-----';
const LABEL = /^(BEGIN|END) ([A-Z0-9][A-Z0-9 ]{0,62})$/;

/**
 * Decodes base64 strictly: standard alphabet, padded, canonical; whitespace is dropped, because wrapped values are
 * common. `Buffer.from` would skip anything else silently. `undefined` when it is something else, or nothing.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const stripped = text.replace(/[ \t\r\n]+/g, '');
  if (stripped === '') return undefined;
  const decoded = Buffer.from(stripped, 'base64');
  return decoded.toString('base64') === stripped ? decoded : undefined;
}

/**
 * The blocks of a PEM text; text between blocks is allowed (RFC 7468 section 2) and dropped. Line breaks inside blocks
 * do not matter, so a block that came through a single-line field still reads. `undefined` when a mark is out of place.
 */
export function parsePem(text: string): readonly PemBlock[] | undefined {
  // Parts at odd positions are labels: text, BEGIN X, body, END X, text, BEGIN X, …
  const parts = text.split(MARK);
  if (parts.length % 4 !== 1) return undefined;
  const blocks: PemBlock[] = [];
  for (let i = 1; i < parts.length; i += 4) {
    const begin = LABEL.exec(parts[i] ?? '');
    const end = LABEL.exec(parts[i + 2] ?? '');
    const label = begin?.[2];
    if (begin?.[1] !== 'BEGIN' || end?.[1] !== 'END' || label === undefined || end[2] !== label) return undefined;
    const body = parts[i + 1] ?? '';
    blocks.push({
      label,
      der: decodeBase64(body),
      encrypted: label.startsWith('ENCRYPTED') || (body.includes('Proc-Type:') && body.includes('ENCRYPTED')),
    });
  }
  return blocks;
}

/** PEM text of one block, 64 characters a line. */
export function formatPem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `${MARK}BEGIN ${label}${MARK}\n${lines.join('\n')}\n${MARK}END ${label}${MARK}\n`;
}

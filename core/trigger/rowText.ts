/** Writes a text so that it can stand in a row: no separator, line break, quote or backslash is left in it. */
export function escapeText(text: string): string {
  return text.replace(
    /[%,;\\"\u0000-\u001f\u007f\u2028\u2029\ud800-\udfff]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Reads what {@link escapeText} wrote. Never throws: what is no escape stays as it is. */
export function unescapeText(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uid in 22 characters where it is a UUID (it always is on real clusters), else as it is. */
export function packUid(uid: string): string {
  if (!UUID.test(uid)) return `!${escapeText(uid)}`;
  return Buffer.from(uid.replaceAll('-', ''), 'hex').toString('base64url');
}

/** Reads what {@link packUid} wrote; undefined when it is neither. */
export function unpackUid(text: string): string | undefined {
  if (text.startsWith('!')) return text.length > 1 ? unescapeText(text.slice(1)) : undefined;
  if (!/^[\w-]{22}$/.test(text)) return undefined;
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** 400 days, 1 hour, 1 minute and 1 second: in this zone every part of a date is another one. */
const OFFSET_SECONDS = 400 * 86_400 + 3_600 + 60 + 1;

/** A file of zone information (RFC 8536, version 1) with one zone and no changes, for `TZ`. */
export function distantTimeZone(): Buffer {
  const header = Buffer.alloc(44);
  header.write('TZif', 0, 'latin1');
  header.writeUInt32BE(1, 36); // One kind of local time.
  header.writeUInt32BE(4, 40); // Bytes of names.
  const zone = Buffer.alloc(6);
  zone.writeInt32BE(OFFSET_SECONDS, 0);
  return Buffer.concat([header, zone, Buffer.from('NAV\0', 'latin1')]);
}

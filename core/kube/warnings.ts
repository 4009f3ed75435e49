import { serverText, type Disclosure } from './serverText';

/** The most warnings of one answer that are told. */
const MAX_WARNINGS = 10;
/** A Warning of the API server: `299 - "text"` (RFC 7234, KEP-1693). */
const WARNING = /(?:^|,)\s*299 [^\s"]+ "((?:[^"\\]|\\.)*)"/g;

/**
 * What the API server warns of in the head of a good answer, such as a version that will be removed.
 *
 * @param header the header `Warning`, several of them joined by commas
 * @param disclosure what of it may be shown: admission plugins may repeat what was sent
 */
export function warningsOf(header: string | undefined, disclosure: Disclosure): readonly string[] {
  if (header === undefined) return [];
  const texts = [...header.matchAll(WARNING)]
    .slice(0, MAX_WARNINGS)
    .map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
  return [...new Set(texts.flatMap((text) => serverText(text, disclosure) ?? []))];
}

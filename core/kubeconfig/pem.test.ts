import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64, formatPem, parsePem } from './pem';

const block = (label: string, body = 'AAEC'): string => `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;

describe('base64', () => {
  it.each(['', '=', 'A', 'AA', 'AAA', 'A===', 'AA==AA==', 'AB==', 'A-_=', 'AAAA=', 'AAAAé', 'AA\u00a0AA', '!!=='])(
    '%p is refused',
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );

  it('reads what was encoded, also wrapped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        const wrapped = Buffer.from(bytes)
          .toString('base64')
          .replace(/(.{7})/g, '$1 \r\n\t');
        expect(decodeBase64(wrapped)).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

describe('PEM', () => {
  it('is read as blocks, text around them dropped', () => {
    expect(parsePem(`a\n${block('X')}b\n${block('Y Z')}c`)).toEqual([
      { label: 'X', der: Buffer.from([0, 1, 2]), encrypted: false },
      { label: 'Y Z', der: Buffer.from([0, 1, 2]), encrypted: false },
    ]);
  });

  it('survives the loss of its line breaks', () => {
    expect(parsePem(block('X').replace(/\n/g, ' '))).toEqual(parsePem(block('X')));
    expect(parsePem(block('X').replace(/\n/g, ''))).toEqual(parsePem(block('X')));
  });

  it('is what it was after formatting', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const text = formatPem('CERTIFICATE', Buffer.from(bytes));
        expect(parsePem(text)).toEqual([{ label: 'CERTIFICATE', der: Buffer.from(bytes), encrypted: false }]);
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(64);
      }),
    );
  });

  it('has no content where it is not base64', () => {
    expect(parsePem(block('X', 'A: b\n\nAAEC'))).toEqual([{ label: 'X', der: undefined, encrypted: false }]);
  });

  it.each([block('ENCRYPTED PRIVATE KEY'), block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nAAEC')])(
    'is known to be encrypted: %p',
    (text) => {
      expect(parsePem(text)?.[0]?.encrypted).toBe(true);
    },
  );

  it.each([
    '-----BEGIN X-----',
    '-----BEGIN X-----\nAAEC\n-----END Y-----',
    '-----END X-----\nAAEC\n-----BEGIN X-----',
    '-----BEGIN X-----\n-----BEGIN X-----\nAAEC\n-----END X-----\n-----END X-----',
    '-----BEGIN x-----\nAAEC\n-----END x-----',
    '-----BEGIN -----\nAAEC\n-----END -----',
    `-----BEGIN ${'X'.repeat(100)}-----\nAAEC\n-----END ${'X'.repeat(100)}-----`,
    '-----',
  ])('with marks out of place is refused: %p', (text) => {
    expect(parsePem(text)).toBeUndefined();
  });

  it('without any block is read as none', () => {
    expect(parsePem('nothing')).toEqual([]);
  });
});

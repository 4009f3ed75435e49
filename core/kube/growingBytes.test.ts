import { describe, expect, it } from '@jest/globals';
import { GrowingBytes } from './growingBytes';

describe('GrowingBytes', () => {
  it('holds all pieces in their order, however large they become', () => {
    const bytes = new GrowingBytes();
    bytes.push(Buffer.from('a'.repeat(100)));
    bytes.pushText('ü'.repeat(100_000));
    bytes.push(Buffer.from('z'));
    expect(bytes.length).toBe(200_101);
    expect(bytes.bytes().toString()).toBe(`${'a'.repeat(100)}${'ü'.repeat(100_000)}z`);
    bytes.release();
    expect(bytes.length).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Type } from 'typebox';
import { structural } from './structural';

const closed = { additionalProperties: false };
const inside = (child: object): object => Type.Object({ field: Type.Unsafe(child) }, closed);

describe('a schema for the API server', () => {
  it('keeps what it can say, drops what only we check, and takes rules without their functions', () => {
    const schema = Type.Object(
      { name: Type.Optional(Type.String({ maxLength: 5, description: 'A name.' })) },
      { ...closed, rules: [{ rule: 'has(self.name)', message: 'must have a name', holds: () => true }] },
    );
    expect(structural(schema)).toEqual({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 5, description: 'A name.' } },
      'x-kubernetes-validations': [{ rule: 'has(self.name)', message: 'must have a name' }],
    });
  });

  it.each([
    ['a string without a maximum', Type.String(), '$.field: has no maxLength'],
    ['a list without a maximum', Type.Array(Type.Boolean()), '$.field: has no maxItems'],
    [
      'free values without a maximum',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      '$.field: has no maxProperties',
    ],
    ['an unbounded item', Type.Array(Type.String(), { maxItems: 2 }), '$.field[]: has no maxLength'],
    ['a union', Type.Union([Type.Boolean(), Type.Null()]), '$.field: anyOf is for int-or-string only'],
    ['an intersection', Type.Intersect([Type.Object({}, closed)]), '$.field: allOf cannot be converted'],
    ['a record', Type.Record(Type.String(), Type.String()), '$.field: patternProperties cannot be converted'],
    ['a literal', Type.Literal('a'), '$.field: const cannot be converted'],
    ['a reference', Type.Ref('Other'), '$.field: $ref cannot be converted'],
    ['a pattern', Type.String({ maxLength: 2, pattern: 'a' }), '$.field: pattern cannot be converted'],
    ['null', Type.Null(), '$.field: has no type that is allowed'],
    ['an open object', Type.Object({}), '$.field: additionalProperties must be false'],
    ['anything', Type.Unknown(), '$.field: has no type that is allowed'],
    ['a number that may be broken', Type.Number(), '$.field: has no type that is allowed'],
  ])('cannot be made of %s', (_what, child, message) => {
    expect(() => structural(inside(child))).toThrow(message);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concealedValues, NOTHING_SENT, oneLine, serverText, withoutValue } from './serverText';

describe('withoutValue', () => {
  it.each([
    ['Invalid value: "A_b": must be lower case', 'must be lower case'],
    ['Invalid value: "a\\"b: c": must not', 'must not'],
    ['Invalid value: -1: must be greater than or equal to 0', 'must be greater than or equal to 0'],
    ['Invalid value: true: must be false', 'must be false'],
    ['Invalid value: null: must be set', 'must be set'],
    ['Invalid value: {"app":"x: }","n":[1,2]}: does not match', 'does not match'],
    ['Invalid value: ["a","]"]: too odd', 'too odd'],
    ['Unsupported value: "Sometimes": supported values: "Always", "Never"', 'supported values: "Always", "Never"'],
    ['Required value: name is required', 'name is required'],
    ['Forbidden: may not be changed', 'may not be changed'],
    ['Too long: may not be more than 63 bytes', 'may not be more than 63 bytes'],
    ['Too many: 5: must have at most 3 items', 'must have at most 3 items'],
  ])('%s', (message, rest) => {
    expect(withoutValue(message)).toBe(rest);
  });

  it.each([
    'Duplicate value: "x"',
    'Required value',
    'Invalid value: "never ends',
    'Invalid value: {"never":"ends"',
    'Invalid value: map[string]string{"a":"secret"}: no',
    'secret in a message of another form',
    '',
  ])('tells nothing of %s', (message) => {
    expect(withoutValue(message)).toBeUndefined();
  });

  it('never lets a printed string through, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.constantFrom('Invalid', 'Duplicate', 'Unsupported'),
        (value, type) => {
          const printed = JSON.stringify(value);
          expect(withoutValue(`${type} value: ${printed}: what is wrong`)).toBe('what is wrong');
        },
      ),
    );
  });
});

describe('serverText', () => {
  it('shows a plain text', () => {
    expect(serverText('exceeded quota: compute', NOTHING_SENT)).toBe('exceeded quota: compute');
  });

  it('is silent for Secrets, and for what is no text', () => {
    expect(serverText('anything', { silent: true, concealed: () => [] })).toBeUndefined();
    expect(serverText(42, NOTHING_SENT)).toBeUndefined();
    expect(serverText('', NOTHING_SENT)).toBeUndefined();
    expect(serverText('x'.repeat(70_000), NOTHING_SENT)).toBeUndefined();
  });

  it('makes one bounded line without control and direction characters', () => {
    expect(serverText('a\u001b[31m\r\nb\u202ec\u200bd\u0000', NOTHING_SENT)).toBe('a [31m b c d');
    const long = serverText('y'.repeat(1000), NOTHING_SENT);
    expect(long).toHaveLength(300);
    expect(long?.endsWith('…')).toBe(true);
  });

  it('takes out what was sent, also escaped and line by line', () => {
    const concealed = () => ['hunter2hunter2', 'quo"ted', '-----BEGIN\nline-of-the-key\n-----END'];
    const disclosure = { silent: false, concealed };
    expect(serverText('cannot use hunter2hunter2 here', disclosure)).toBe('cannot use … here');
    expect(serverText('value "quo\\"ted" is wrong', disclosure)).toBe('value "…" is wrong');
    expect(serverText('saw line-of-the-key in it', disclosure)).toBe('saw … in it');
  });

  it('takes out before it cuts: no beginning of a value is left at the end', () => {
    const secret = 's'.repeat(290);
    expect(serverText(`0123456789 ${secret} 0123456789`, { silent: false, concealed: () => [secret] })).toBe(
      '0123456789 … 0123456789',
    );
  });

  it('takes out values that field errors print in the middle of a text', () => {
    expect(
      serverText(
        'webhook denied: spec.a: Invalid value: "stored-secret": must be short; spec.b: Required value',
        NOTHING_SENT,
      ),
    ).toBe('webhook denied: spec.a: Invalid value: must be short; spec.b: Required value');
    expect(serverText('spec.a: Invalid value: map[a:stored-secret]: no', NOTHING_SENT)).toBe('spec.a: Invalid value');
  });

  it('never shows a value of the body, wherever the server puts it', () => {
    const value = fc.string({ minLength: 4, maxLength: 40 }).filter((each) => each.trim().length >= 4 && each !== '…');
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (secret, before, after) => {
        const body = { metadata: { name: 'web' }, data: { key: [secret] } };
        const text = serverText(`${before}${secret}${after}`, {
          silent: false,
          concealed: () => concealedValues(body),
        });
        // A secret may occur in the surroundings by chance only when it is shorter than what is concealed.
        expect((text ?? '').includes(secret)).toBe(false);
      }),
    );
  });
});

describe('concealedValues', () => {
  it('names every value but those that say which object it is', () => {
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'shop', labels: { app: 'front' } },
      spec: { containers: [{ name: 'main', args: ['--password', 'p4ss'], env: [{ name: 'A', value: 'b' }] }], n: 1 },
    };
    expect(concealedValues(body)).toEqual(['front', '--password', 'p4ss', 'b']);
  });

  it('takes the values of a JSON patch, not its operations and paths', () => {
    expect(concealedValues([{ op: 'add', path: '/data/k', value: { x: 'secret' } }])).toEqual(['secret']);
  });

  it('takes names that are lists', () => {
    expect(concealedValues({ name: ['not-a-name'] })).toEqual(['not-a-name']);
  });
});

describe('oneLine', () => {
  it('is undefined for nothing but spaces', () => {
    expect(oneLine(' \n\t ', 10)).toBeUndefined();
  });
});

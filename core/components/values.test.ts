import { expect, it } from '@jest/globals';
import { chartValues } from './values';

const source = { chart: { path: 'web' } };
const ref = (valuePath: string) => ({ secretName: 'database', key: 'password', valuePath });

it('the name of a Secret goes to its value path, and the spec stays as it is', () => {
  const values = { auth: { enabled: true }, cache: null };
  const secretRefs = [ref('auth.existingSecret'), ref('cache.auth.secret'), ref('constructor.name')];
  expect(chartValues({ source, values, secretRefs })).toEqual({
    values: {
      auth: { enabled: true, existingSecret: 'database' },
      cache: { auth: { secret: 'database' } },
      ['constructor']: { name: 'database' },
    },
  });
  expect(values).toEqual({ auth: { enabled: true }, cache: null });
});

it('something in its way is told', () => {
  expect(chartValues({ source, values: { auth: 'none' }, secretRefs: [ref('auth.secret')] })).toEqual({
    conflict: 'auth.secret',
  });
  expect(chartValues({ source, values: { auth: { secret: {} } }, secretRefs: [ref('auth.secret')] })).toEqual({
    conflict: 'auth.secret',
  });
});

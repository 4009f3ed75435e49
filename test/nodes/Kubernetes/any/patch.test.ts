import { describe, expect, it } from '@jest/globals';
import { execute, named } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'any', operation: 'patch', kind: named('cm'), name: named('a'), patch: '{"data":{}}' };

describe('Any Resource: Patch, when things go wrong', () => {
  it('says when it is not known whether it patched, and does not try again', async () => {
    api().answer(() => ({ drop: true }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      description: expect.stringContaining('Read the object'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests).toHaveLength(1);
  });

  it('says which kinds know no strategic merge', async () => {
    api().answer(() => statusAnswer(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format'));
    const parameters = { ...PARAMETERS, patchType: 'strategic' };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      description: expect.stringContaining('Custom resources know no strategic merge patch'),
      context: { code: 'k8s_unsupported' },
    });
  });
});

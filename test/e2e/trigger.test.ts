import { describe, jest } from '@jest/globals';
import { trigger } from './suites/trigger';
import { twoTriggers } from './suites/twoTriggers';
import { useWorld } from './world';

jest.setTimeout(300_000);

/** A world of its own: n8n and the API server are killed in it. */
describe('the trigger in a real n8n', () => {
  const world = useWorld({ compactionInterval: '1s', auditLog: true });

  trigger(world);
  twoTriggers(world);
});

import { describe, jest } from '@jest/globals';
import { trigger } from './suites/trigger';
import { useWorld } from './world';

jest.setTimeout(300_000);

/** A world of its own: n8n and the API server are killed in it. */
describe('the trigger in a real n8n', () => {
  trigger(useWorld({ compactionInterval: '1s', auditLog: true }));
});

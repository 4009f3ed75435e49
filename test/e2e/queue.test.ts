import { afterAll, beforeAll, describe, jest } from '@jest/globals';
import { findRedis, startRedis, type Redis } from './redis';
import { queue } from './suites/queue';
import { useWorld } from './world';

jest.setTimeout(300_000);

const source = findRedis();
const title = 'the trigger in queue mode';
if (source === undefined)
  process.stderr.write(
    `SKIPPED: ${title}: no redis-server on the PATH; apt-get install redis-server, or NAVIN_TEST_REDIS_URL may name a Redis.\n`,
  );

/** A world of its own: n8n of two processes and Redis between them, the database n8n's usual SQLite. */
(source === undefined ? describe.skip : describe)(title, () => {
  let redis: Redis | undefined;
  beforeAll(async () => {
    if (source !== undefined) redis = await startRedis(source);
  });
  queue(useWorld({ nodes: 1 }, () => redis?.env ?? {}));
  afterAll(async () => {
    await redis?.stop();
  });
});

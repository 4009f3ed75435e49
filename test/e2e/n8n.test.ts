import { describe, jest } from '@jest/globals';
import { browser } from './suites/browser';
import { credentialTest } from './suites/credential';
import { examples } from './suites/examples';
import { failures } from './suites/failures';
import { lists } from './suites/lists';
import { loading } from './suites/loading';
import { operations } from './suites/operations';
import { secrets } from './suites/secrets';
import { tool } from './suites/tool';
import { useWorld } from './world';

jest.setTimeout(180_000);

/** One n8n and one cluster serve all suites: the file is one so that they are started once. */
describe('n8n with the package, and a real cluster', () => {
  const world = useWorld();

  loading(world);
  credentialTest(world);
  lists(world);
  operations(world);
  failures(world);
  tool(world);
  examples(world);
  browser(world);
  secrets(world);
});

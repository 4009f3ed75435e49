import { describe, jest } from '@jest/globals';
import { anyResource } from './suites/anyResource';
import { browser } from './suites/browser';
import { credentialTest } from './suites/credential';
import { examples } from './suites/examples';
import { examplesByHand } from './suites/examplesByHand';
import { failures } from './suites/failures';
import { files } from './suites/files';
import { inventory } from './suites/inventory';
import { lists } from './suites/lists';
import { loading } from './suites/loading';
import { operations } from './suites/operations';
import { secrets } from './suites/secrets';
import { tool } from './suites/tool';
import { useWorld } from './world';

jest.setTimeout(180_000);

/** One n8n and one cluster serve all suites: the file is one so that they are started once. */
describe('n8n with the package, and a real cluster', () => {
  // Containers run commands on this machine: the cluster is this file's own.
  const world = useWorld({ exec: true });

  loading(world);
  credentialTest(world);
  lists(world);
  operations(world);
  anyResource(world);
  files(world);
  inventory(world);
  failures(world);
  tool(world);
  examples(world);
  examplesByHand(world);
  browser(world);
  secrets(world);
});

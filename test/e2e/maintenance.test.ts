import { describe, jest } from '@jest/globals';
import { usePlatform } from './platform';
import { maintenance } from './suites/maintenance';
import { nodeMaintenance } from './suites/nodeMaintenance';
import { tutorial } from './suites/tutorial';

jest.setTimeout(180_000);

/** The platform as the demo starts it: one cluster, one operator and one n8n serve all suites. */
describe('n8n, and components that a real operator runs', () => {
  const platform = usePlatform();

  tutorial(platform);
  maintenance(platform);
  nodeMaintenance(platform);
});

import { started } from './globalSetup';

/** jest's global tear-down: ends the cluster of the set-up. */
export default async function globalTeardown(): Promise<void> {
  await started.cluster?.stop();
}

import { OPERATIONS } from '../catalog';
import { actingNode } from '../shared/actingNode';
import { RESOURCE_DESCRIPTIONS, RUNS } from './actions';

export { search } from './search';

/** Everything of the node but its description. It is required on first use, so that n8n starts fast. */
export const { ACTIONS, execute, test } = actingNode({ resources: RESOURCE_DESCRIPTIONS, runs: RUNS }, OPERATIONS);

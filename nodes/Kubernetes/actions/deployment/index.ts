import { defineResource, type RunsOf } from '../../../shared/operation';
import { describeGet, getObject } from '../get';
import { describeGetAll, getObjects } from '../getAll';
import { pauseDescription, resumeDescription, setPaused } from '../workload/pause';
import { describeRestart, restart } from '../workload/restart';
import { describeRolloutHistory, getRolloutHistory } from '../workload/rolloutHistory';
import { describeRolloutStatus, getRolloutStatus } from '../workload/rolloutStatus';
import { describeScale, scale } from '../workload/scale';
import { describeSetEnvironment, setEnvironment } from '../workload/setEnvironment';
import { describeSetImage, setImage } from '../workload/setImage';
import { describeUndo, undo } from '../workload/undo';

const KIND = 'deployment';

export const description = defineResource({
  name: 'Deployment',
  value: KIND,
  operations: [
    describeGet(KIND, 'read'),
    describeGetAll(KIND, 'read'),
    describeRolloutHistory(KIND),
    describeRolloutStatus(KIND),
    pauseDescription,
    describeRestart(KIND),
    resumeDescription,
    describeScale(KIND),
    describeSetEnvironment(KIND),
    describeSetImage(KIND),
    describeUndo(KIND),
  ],
});

export const runs: RunsOf<typeof description> = {
  get: async (client, parameters) => await getObject(client, KIND, parameters),
  getAll: (client, parameters, context) => getObjects(client, KIND, parameters, context),
  getRolloutHistory: async (client, parameters) => await getRolloutHistory(client, KIND, parameters),
  getRolloutStatus: async (client, parameters, context) => await getRolloutStatus(client, KIND, parameters, context),
  pause: async (client, parameters, context) => await setPaused(client, true, parameters, context),
  restart: async (client, parameters, context) => await restart(client, KIND, parameters, context),
  resume: async (client, parameters, context) => await setPaused(client, false, parameters, context),
  scale: async (client, parameters, context) => await scale(client, KIND, parameters, context),
  setEnvironment: async (client, parameters, context) => await setEnvironment(client, KIND, parameters, context),
  setImage: async (client, parameters, context) => await setImage(client, KIND, parameters, context),
  undo: async (client, parameters, context) => await undo(client, KIND, parameters, context),
};

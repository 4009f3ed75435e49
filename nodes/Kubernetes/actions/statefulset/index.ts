import { defineResource, type RunsOf } from '../../../shared/operation';
import { describeGet, getObject } from '../get';
import { describeGetAll, getObjects } from '../getAll';
import { describeRestart, restart } from '../workload/restart';
import { describeRolloutHistory, getRolloutHistory } from '../workload/rolloutHistory';
import { describeRolloutStatus, getRolloutStatus } from '../workload/rolloutStatus';
import { describeScale, scale } from '../workload/scale';
import { describeSetEnvironment, setEnvironment } from '../workload/setEnvironment';
import { describeSetImage, setImage } from '../workload/setImage';
import { describeUndo, undo } from '../workload/undo';

const KIND = 'statefulset';

export const description = defineResource({
  name: 'StatefulSet',
  value: KIND,
  operations: [
    describeGet(KIND, 'read'),
    describeGetAll(KIND, 'read'),
    describeRolloutHistory(KIND),
    describeRolloutStatus(KIND),
    describeRestart(KIND),
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
  restart: async (client, parameters, context) => await restart(client, KIND, parameters, context),
  scale: async (client, parameters, context) => await scale(client, KIND, parameters, context),
  setEnvironment: async (client, parameters, context) => await setEnvironment(client, KIND, parameters, context),
  setImage: async (client, parameters, context) => await setImage(client, KIND, parameters, context),
  undo: async (client, parameters, context) => await undo(client, KIND, parameters, context),
};

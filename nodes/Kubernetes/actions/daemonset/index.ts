import { defineResource, type RunsOf } from '../../../shared/operation';
import { describeGet, getObject } from '../get';
import { describeGetAll, getObjects } from '../getAll';
import { describeRestart, restart } from '../workload/restart';
import { describeRolloutHistory, getRolloutHistory } from '../workload/rolloutHistory';
import { describeRolloutStatus, getRolloutStatus } from '../workload/rolloutStatus';
import { describeSetEnvironment, setEnvironment } from '../workload/setEnvironment';
import { describeSetImage, setImage } from '../workload/setImage';
import { describeUndo, undo } from '../workload/undo';

const KIND = 'daemonset';

export const description = defineResource({
  name: 'DaemonSet',
  value: KIND,
  operations: [
    describeGet(KIND, 'read'),
    describeGetAll(KIND, 'read'),
    describeRolloutHistory(KIND),
    describeRolloutStatus(KIND),
    describeRestart(KIND),
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
  setEnvironment: async (client, parameters, context) => await setEnvironment(client, KIND, parameters, context),
  setImage: async (client, parameters, context) => await setImage(client, KIND, parameters, context),
  undo: async (client, parameters, context) => await undo(client, KIND, parameters, context),
};

import { defineResource, type RunsOf } from '../../../shared/operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getRolloutStatus from './getRolloutStatus.operation';
import * as restart from './restart.operation';
import * as scale from './scale.operation';
import * as setImage from './setImage.operation';

export const description = defineResource({
  name: 'Deployment',
  value: 'deployment',
  operations: [
    get.description,
    getAll.description,
    getRolloutStatus.description,
    restart.description,
    scale.description,
    setImage.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  get: get.run,
  getAll: getAll.run,
  getRolloutStatus: getRolloutStatus.run,
  restart: restart.run,
  scale: scale.run,
  setImage: setImage.run,
};

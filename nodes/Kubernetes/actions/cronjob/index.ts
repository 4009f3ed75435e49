import { defineResource, type RunsOf } from '../../../shared/operation';
import * as create from './create.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as resume from './resume.operation';
import * as runNow from './runNow.operation';
import * as suspend from './suspend.operation';

export const description = defineResource({
  name: 'CronJob',
  value: 'cronjob',
  operations: [
    create.description,
    get.description,
    getAll.description,
    resume.description,
    runNow.description,
    suspend.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  create: create.run,
  get: get.run,
  getAll: getAll.run,
  resume: resume.run,
  runNow: runNow.run,
  suspend: suspend.run,
};

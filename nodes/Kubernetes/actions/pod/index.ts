import { defineResource, type RunsOf } from '../../../shared/operation';
import * as remove from './delete.operation';
import * as downloadFile from './downloadFile.operation';
import * as evict from './evict.operation';
import * as execute from './execute.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getLogs from './getLogs.operation';
import * as getUsage from './getUsage.operation';
import * as uploadFile from './uploadFile.operation';
import * as wait from './wait.operation';

export const description = defineResource({
  name: 'Pod',
  value: 'pod',
  operations: [
    remove.description,
    downloadFile.description,
    evict.description,
    execute.description,
    get.description,
    getLogs.description,
    getAll.description,
    getUsage.description,
    uploadFile.description,
    wait.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  delete: remove.run,
  downloadFile: downloadFile.run,
  evict: evict.run,
  execute: execute.run,
  get: get.run,
  getLogs: getLogs.run,
  getAll: getAll.run,
  getUsage: getUsage.run,
  uploadFile: uploadFile.run,
  wait: wait.run,
};

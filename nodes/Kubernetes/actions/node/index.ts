import { defineResource, type RunsOf } from '../../../shared/operation';
import * as cordon from './cordon.operation';
import * as drain from './drain.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as getAllocatedResources from './getAllocatedResources.operation';
import * as getPods from './getPods.operation';
import * as getUsage from './getUsage.operation';
import * as taint from './taint.operation';
import * as uncordon from './uncordon.operation';
import * as untaint from './untaint.operation';

export const description = defineResource({
  name: 'Node',
  value: 'node',
  operations: [
    cordon.description,
    drain.description,
    get.description,
    getAllocatedResources.description,
    getAll.description,
    getPods.description,
    getUsage.description,
    taint.description,
    uncordon.description,
    untaint.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  cordon: cordon.run,
  drain: drain.run,
  get: get.run,
  getAll: getAll.run,
  getAllocatedResources: getAllocatedResources.run,
  getPods: getPods.run,
  getUsage: getUsage.run,
  taint: taint.run,
  uncordon: uncordon.run,
  untaint: untaint.run,
};

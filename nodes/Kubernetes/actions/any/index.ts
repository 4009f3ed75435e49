import { defineResource, type RunsOf } from '../../../shared/operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as create from './create.operation';
import * as apply from './apply.operation';
import * as remove from './delete.operation';
import * as patch from './patch.operation';
import * as replace from './replace.operation';
import * as diff from './diff.operation';
import * as wait from './wait.operation';
import * as label from './label.operation';
import * as annotate from './annotate.operation';
import * as getEvents from './getEvents.operation';

export const description = defineResource({
  name: 'Any Resource',
  value: 'any',
  operations: [
    get.description,
    getAll.description,
    create.description,
    apply.description,
    remove.description,
    patch.description,
    replace.description,
    diff.description,
    wait.description,
    label.description,
    annotate.description,
    getEvents.description,
  ],
});

export const runs: RunsOf<typeof description> = {
  get: get.run,
  getAll: getAll.run,
  create: create.run,
  apply: apply.run,
  delete: remove.run,
  patch: patch.run,
  replace: replace.run,
  diff: diff.run,
  wait: wait.run,
  label: label.run,
  annotate: annotate.run,
  getEvents: getEvents.run,
};

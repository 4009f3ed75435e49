import { defineResource, type RunsOf } from '../../../shared/operation';
import * as getImportRbac from './getImportRbac.operation';
import * as review from './review.operation';

export const description = defineResource({
  name: 'Rights',
  value: 'rights',
  operations: [getImportRbac.description, review.description],
});

export const runs: RunsOf<typeof description> = {
  getImportRbac: getImportRbac.run,
  review: review.run,
};

import { defineResource, type RunsOf } from '../../../shared/operation';
import * as review from './review.operation';
import * as whoAmI from './whoAmI.operation';

export const description = defineResource({
  name: 'Access',
  value: 'access',
  operations: [review.description, whoAmI.description],
});

export const runs: RunsOf<typeof description> = { review: review.run, whoAmI: whoAmI.run };

import { defineResource, type RunsOf } from '../../../shared/operation';
import * as review from './review.operation';

export const description = defineResource({
  name: 'Access',
  value: 'access',
  operations: [review.description],
});

export const runs: RunsOf<typeof description> = { review: review.run };

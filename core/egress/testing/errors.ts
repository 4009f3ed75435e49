import { NavinError } from '../../errors';
import { EgressRefusedError } from '../errors';

/** The error of ours that a promise rejects with. */
export async function errorOf(work: Promise<unknown>): Promise<NavinError> {
  const error = await rejection(work);
  if (error instanceof NavinError) return error;
  throw new Error('Not an error of ours', { cause: error });
}

/** The refusal that a promise rejects with. */
export async function refusalOf(work: Promise<unknown>): Promise<EgressRefusedError> {
  const error = await rejection(work);
  if (error instanceof EgressRefusedError) return error;
  throw new Error('Not refused', { cause: error });
}

/** What a promise rejects with. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await work;
  } catch (error) {
    return error;
  }
  throw new Error(`Not rejected, but resolved with ${JSON.stringify(value)}`);
}

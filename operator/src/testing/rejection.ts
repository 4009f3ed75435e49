import { ChartError } from '../charts';

/** Why a chart cannot be had or rendered, `Reason: message`. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ChartError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  throw new Error('Not refused');
}

import { runtimeError } from '../../../core/mcp';

/** Runs something whose missing rights are told as those of the MCP runtime. */
export async function runtimeErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw runtimeError(error);
  }
}

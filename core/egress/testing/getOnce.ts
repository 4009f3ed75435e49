import { createPinnedAgent } from '../agent';
import { connectionError } from '../connectionError';
import { get } from './servers';

/**
 * A process of its own, because Node reads some variables of the environment when it starts, and those of a jest test
 * are a copy. Arguments: port of 127.0.0.1, CA. Prints the answer, or the reason of the error.
 */
async function main(port: number, ca: string): Promise<string> {
  const destination = { host: '127.0.0.1', port };
  const policy = { grants: [], devApiServer: { address: '127.0.0.1', port } };
  const agent = createPinnedAgent({ policy, tls: { ca } });
  try {
    return await get(agent, `https://127.0.0.1:${port}/`);
  } catch (error) {
    return JSON.stringify(connectionError(error, destination)?.details.reason ?? 'unknown');
  } finally {
    agent.destroy();
  }
}

const [port = '', ca = ''] = process.argv.slice(2);
void main(Number(port), ca).then((result) => process.stdout.write(result));

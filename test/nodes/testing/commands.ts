import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CommandServer } from '../../../core/kube/testing/commandServer';
import { TOKEN } from './fakeApi';

/** A server for commands, and the credential for it. */
export interface CommandApi {
  readonly server: CommandServer;
  readonly credential: ICredentialDataDecryptedObject;
}

/** Gives a test file a server that runs commands as scripted, for what the containers of the disposable cluster cannot do. */
export function useCommandServer(): () => CommandApi {
  let server: CommandServer | undefined;
  const before = process.env.NAVIN_DEV_API_SERVER;
  beforeAll(async () => {
    server = await CommandServer.start();
    process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${server.port}`;
  });
  beforeEach(() => {
    if (server !== undefined) server.sessions.length = 0;
  });
  afterAll(async () => {
    await server?.stop();
    if (before === undefined) delete process.env.NAVIN_DEV_API_SERVER;
    else process.env.NAVIN_DEV_API_SERVER = before;
  });
  return () => {
    if (server === undefined) throw new Error('the server is there within tests only');
    const { url, ca } = server;
    const credential = { authentication: 'token', apiServer: url, ca, token: TOKEN, namespace: 'shop' };
    return { server, credential };
  };
}

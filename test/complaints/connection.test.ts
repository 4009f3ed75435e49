import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { CertificateAuthority } from '../certificates';
import { failure, FaultServer, json } from '../faults';
import { execute, named, outputOf } from '../nodes/testing/context';

const POD = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web', namespace: 'shop', uid: 'a' } };
const READY = { ...POD, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
const OLD = 'token-of-the-first-hour';
const NEW = 'token-of-the-second-hour';

const before = process.env.NAVIN_DEV_API_SERVER;
afterEach(() => {
  if (before === undefined) delete process.env.NAVIN_DEV_API_SERVER;
  else process.env.NAVIN_DEV_API_SERVER = before;
});

describe('a token that ends while an operation goes on (rundeck-plugins/kubernetes#75)', () => {
  const parameters = {
    resource: 'pod',
    operation: 'wait',
    name: named('web'),
    timeoutSeconds: 60,
    options: { intervalSeconds: 1 },
  };

  /** A pod gets ready, and the first token is good for one request only. */
  async function waitWith(credentialOf: (server: FaultServer, asked: number) => ICredentialDataDecryptedObject) {
    const server = await FaultServer.start();
    process.env.NAVIN_DEV_API_SERVER = `127.0.0.1:${server.port}`;
    const tokens: (string | undefined)[] = [];
    let looks = 0;
    server.always((exchange) => {
      const { authorization } = exchange.request.headers;
      tokens.push(authorization);
      if (tokens.length > 1 && authorization !== `Bearer ${NEW}`) {
        return failure(401, 'Unauthorized', 'Unauthorized')(exchange);
      }
      looks += 1;
      return json(looks < 3 ? POD : READY)(exchange);
    });
    let asked = 0;
    const credential = (): Promise<ICredentialDataDecryptedObject> => {
      asked += 1;
      return Promise.resolve(credentialOf(server, asked));
    };
    try {
      return { output: await outputOf({ parameters, credential, onError: 'continueRegularOutput' }), tokens };
    } finally {
      await server.stop();
    }
  }

  it('is exchanged for the one that the credential has by then', async () => {
    const { output, tokens } = await waitWith((server, asked) => credentialOf(server, asked === 1 ? OLD : NEW));
    expect(output).toMatchObject([{ name: 'web', status: 'Running' }]);
    expect(tokens).toEqual([OLD, OLD, NEW, NEW].map((token) => `Bearer ${token}`));
  });

  it('ends the operation when the credential has no other, without a second try', async () => {
    const { output, tokens } = await waitWith((server) => credentialOf(server, OLD));
    expect(output).toMatchObject([{ details: { code: 'k8s_unauthorized' } }]);
    expect(tokens).toEqual([OLD, OLD].map((token) => `Bearer ${token}`));
  });

  it('does not go over to another cluster, whatever the credential says by then', async () => {
    const { output, tokens } = await waitWith((server, asked) => ({
      ...credentialOf(server, asked === 1 ? OLD : NEW),
      ...(asked === 1 ? {} : { apiServer: 'https://api.other.example:6443' }),
    }));
    expect(output).toMatchObject([{ details: { code: 'k8s_unauthorized' } }]);
    expect(tokens).toHaveLength(2);
  });
});

it('an API server with an IPv6 address is reached, and named in brackets (kubernetes-client/javascript#380, PR#381; homeassistant-kubernetes#264; kubevious#90)', async () => {
  const authority = await CertificateAuthority.create();
  const { certificate, key } = await authority.issue({ addresses: ['::1'] });
  const server = createServer({ cert: certificate, key }, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(POD));
  });
  server.listen(0, '::1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  process.env.NAVIN_DEV_API_SERVER = `[::1]:${port}`;
  const credential = credentialOf({ url: `https://[::1]:${port}`, ca: authority.certificate }, OLD);
  const parameters = { resource: 'pod', operation: 'get', name: named('web') };
  expect(await outputOf({ parameters, credential })).toMatchObject([{ name: 'web' }]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await expect(execute({ parameters, credential })).rejects.toThrow(`[::1]:${port}`);
});

function credentialOf({ url, ca }: Pick<FaultServer, 'url' | 'ca'>, token: string): ICredentialDataDecryptedObject {
  return { authentication: 'token', apiServer: url, ca, token, namespace: 'shop' };
}

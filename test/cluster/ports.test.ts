import { expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { deferred } from './deferred';
import { freePorts, requireFreePort } from './ports';

it('hands out different ports that can be listened on', async () => {
  const ports = await freePorts(20);
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) await expect(requireFreePort(port)).resolves.toBeUndefined();
});

it('says which port is taken and what to do', async () => {
  const [port = 0] = await freePorts(1);
  const server = createServer();
  const listening = deferred<undefined>();
  server.listen(port, '127.0.0.1', () => {
    listening.resolve(undefined);
  });
  await listening.promise;
  await expect(requireFreePort(port)).rejects.toMatchObject({
    code: 'port_taken',
    message: `Port ${port} on 127.0.0.1 is taken by another program. End that program, choose another port, or leave it out for a free one.`,
  });
  server.close();
});

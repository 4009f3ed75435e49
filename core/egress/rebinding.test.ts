import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Agent } from 'node:https';
import { createPinnedAgent } from './agent';
import { checkServerUrl } from './check';
import type { EgressPolicy } from './policy';
import { CertificateAuthority } from '../../test/certificates';
import { startDnsServer, type Answers, type DnsServer } from './testing/dnsServer';
import { refusalOf } from './testing/errors';
import { get, startHttpsServer, type TestServer } from './testing/servers';

/** Case 80 of the public collection: what a DNS server under an attacker's control can do. Real sockets, TTL 0. */

const NAME = 'api.rebind.example';
const toClean: (() => unknown)[] = [];
let authority: CertificateAuthority;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
});

afterEach(async () => {
  for (const clean of toClean.splice(0).reverse()) await clean();
});

async function dnsServer(answers: Answers): Promise<DnsServer> {
  const server = await startDnsServer(answers);
  toClean.push(server.close);
  return server;
}

/** A server on 127.0.0.1; `victimOf` puts another one on the same port of 127.0.0.2. */
async function apiServer(): Promise<TestServer> {
  const server = await startHttpsServer(await authority.issue({ names: [NAME] }));
  toClean.push(server.close);
  return server;
}

/** Only Linux has all of 127.0.0.0/8; elsewhere the refusal itself is the proof. */
async function victimOf(port: number): Promise<Pick<TestServer, 'connections'>> {
  if (process.platform !== 'linux') return { connections: 0 };
  const victim = await startHttpsServer(await authority.issue({ names: [NAME] }), { host: '127.0.0.2', port });
  toClean.push(victim.close);
  return victim;
}

const policyFor = (port: number): EgressPolicy => ({ grants: [], devApiServer: { address: '127.0.0.1', port } });

function agentThrough(dns: DnsServer, port: number): Agent {
  const agent = createPinnedAgent({
    policy: policyFor(port),
    tls: { ca: authority.certificate },
    resolver: dns.resolver,
  });
  toClean.push(() => {
    agent.destroy();
  });
  return agent;
}

describe('a DNS server that changes its mind (80)', () => {
  it('between the check and the connection: the connection is refused', async () => {
    const api = await apiServer();
    const victim = await victimOf(api.port);
    let answer = '127.0.0.1';
    const dns = await dnsServer((_name, type) => (type === 'A' ? [answer] : []));
    const url = new URL(`https://${NAME}:${api.port}/`);

    const checked = await checkServerUrl(policyFor(api.port), url, { resolver: dns.resolver });
    expect(checked.map(({ address }) => address)).toEqual(['127.0.0.1']);

    answer = '127.0.0.2';
    const refusal = await refusalOf(get(agentThrough(dns, api.port), url.href));
    expect([refusal.reason, refusal.details.address]).toEqual(['never', '127.0.0.2']);
    expect([api.connections, victim.connections]).toEqual([0, 0]);
  });

  it('after each question: one question a connection, and the answer that was checked is connected to', async () => {
    const api = await apiServer();
    const victim = await victimOf(api.port);
    let asked = 0;
    const dns = await dnsServer((_name, type) => {
      if (type === 'AAAA') return [];
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '127.0.0.2'];
    });
    const agent = agentThrough(dns, api.port);
    expect(await get(agent, `https://${NAME}:${api.port}/`)).toBe('1');
    expect([...dns.questions].sort()).toEqual([`A ${NAME}`, `AAAA ${NAME}`]);

    // The socket that was checked is kept; a new one is checked anew.
    expect(await get(agent, `https://${NAME}:${api.port}/`)).toBe('2');
    expect(asked).toBe(1);
    agent.destroy();
    expect((await refusalOf(get(agent, `https://${NAME}:${api.port}/`))).reason).toBe('never');
    expect([api.connections, victim.connections]).toEqual([1, 0]);
  });

  it.each([
    ['public, then private', ['8.8.8.8', '10.0.0.1'], [], 'private'],
    ['private, then public', ['10.0.0.1', '8.8.8.8'], [], 'private'],
    ['A public and AAAA ::1', ['8.8.8.8'], ['::1'], 'loopback'],
    ['AAAA public and A loopback', ['127.0.0.2'], ['2606:4700::1111'], 'loopback'],
    ['the checked one and another loopback', ['127.0.0.1', '127.0.0.2'], [], 'loopback'],
    ['the checked one, mapped into IPv6', [], ['::ffff:127.0.0.1'], 'loopback'],
    ['NAT64 of a metadata service', [], ['64:ff9b::a9fe:a9fe'], 'metadata'],
  ])('with mixed answers: %s', async (_case, ipv4, ipv6, addressClass) => {
    const api = await apiServer();
    const dns = await dnsServer((_name, type) => (type === 'A' ? ipv4 : ipv6));
    const refusal = await refusalOf(get(agentThrough(dns, api.port), `https://${NAME}:${api.port}/`));
    expect([refusal.addressClass, api.connections]).toEqual([addressClass, 0]);
  });
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Agent } from 'node:https';
import type { ClusterAgentOptions } from '../egress';
import { AgentPool, type AgentRequest } from './agents';
import { policyFor, targetFor } from './testing/faultClient';
import { CertificateAuthority } from '../../test/certificates';

let ca: string;

beforeEach(async () => {
  ca = (await CertificateAuthority.create()).certificate;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function request(port: number, rest: Partial<AgentRequest> = {}): AgentRequest {
  return { target: targetFor({ url: `https://127.0.0.1:${port}`, ca, port }), policy: policyFor({ port }), ...rest };
}

function pool(options: { maxAgents?: number } = {}) {
  const made: ClusterAgentOptions[] = [];
  const destroyed: Agent[] = [];
  const agents = new AgentPool({
    ...options,
    create: (each) => {
      made.push(each);
      const agent = new Agent();
      jest.spyOn(agent, 'destroy').mockImplementation(() => {
        destroyed.push(agent);
      });
      return agent;
    },
  });
  return { agents, made, destroyed };
}

describe('AgentPool', () => {
  it('shares an agent among equal requests', () => {
    const { agents, made } = pool();
    const [one, two] = [agents.lease(request(1)), agents.lease(request(1))];
    expect(one.agent).toBe(two.agent);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ tls: { ca: expect.stringContaining('BEGIN CERTIFICATE') } });
  });

  it('gives another agent to another target, credential, policy or filter', () => {
    const { agents } = pool();
    const filter = () => Promise.resolve();
    const policy = { grants: [{ cidr: '10.0.0.0/8', ports: [443] }] };
    const requests = [
      request(1),
      request(2),
      request(1, { credentialId: 'a' }),
      request(1, { credentialId: 'b' }),
      request(1, { streaming: true }),
      request(1, { policy }),
      request(1, { externalFilter: filter }),
      request(1, { resolver: () => Promise.resolve([]) }),
    ];
    expect(new Set(requests.map((each) => agents.lease(each).agent)).size).toBe(requests.length);
    expect(agents.lease(request(1, { externalFilter: filter })).agent).toBe(
      agents.lease(request(1, { externalFilter: filter })).agent,
    );
  });

  it('drops an agent a minute after its last use, and not before', () => {
    const { agents, destroyed } = pool();
    const lease = agents.lease(request(1));
    jest.advanceTimersByTime(600_000);
    lease.release();
    lease.release();
    jest.advanceTimersByTime(59_999);
    expect([agents.size, destroyed.length]).toEqual([1, 0]);
    jest.advanceTimersByTime(1);
    expect([agents.size, destroyed.length]).toEqual([0, 1]);
  });

  it('starts the minute anew with each use', () => {
    const { agents } = pool();
    agents.lease(request(1)).release();
    jest.advanceTimersByTime(50_000);
    const lease = agents.lease(request(1));
    jest.advanceTimersByTime(50_000);
    expect(agents.size).toBe(1);
    lease.release();
  });

  it('keeps so many at most: the longest unused goes', () => {
    const { agents, destroyed } = pool({ maxAgents: 2 });
    const first = agents.lease(request(1));
    first.release();
    const second = agents.lease(request(2));
    second.release();
    agents.lease(request(1)).release();
    agents.lease(request(3)).release();
    expect(destroyed).toEqual([second.agent]);
    expect(agents.size).toBe(2);
  });

  it('makes a passing agent when all are in use', () => {
    const { agents, destroyed } = pool({ maxAgents: 1 });
    agents.lease(request(1));
    const passing = agents.lease(request(2));
    expect(agents.size).toBe(1);
    passing.release();
    expect(destroyed).toEqual([passing.agent]);
  });

  it('closes what is not in use at once, and the rest when it is given back', () => {
    const { agents, destroyed } = pool();
    agents.lease(request(1)).release();
    const busy = agents.lease(request(2));
    agents.close();
    expect(destroyed).toHaveLength(1);
    busy.release();
    expect(destroyed).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });
});

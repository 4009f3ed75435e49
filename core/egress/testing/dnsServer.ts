import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { parseAddress } from '../address';
import { codeOf } from '../connectionError';
import type { ResolvedAddress, Resolver } from '../resolver';

const TYPES = { A: 1, AAAA: 28 } as const;
const HEADER_BYTES = 12;

/** Gives the addresses of a name for one question; it is asked anew each time, so it may change its mind. */
export type Answers = (name: string, type: 'A' | 'AAAA') => readonly string[];

/** A real DNS server on loopback (RFC 1035, UDP, A and AAAA) whose answers have TTL 0. */
export interface DnsServer {
  /** Resolves through the server, both families, with Node's own DNS client. */
  readonly resolver: Resolver;
  /** Questions that were answered, like `A api.example.test`. */
  readonly questions: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a DNS server on a free port. */
export async function startDnsServer(answers: Answers): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = questionOf(query);
    questions.push(`${type} ${name}`);
    socket.send(answerTo(query.subarray(0, end), answers(name, type), type), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const client = new dns.Resolver({ timeout: 2000, tries: 1 });
  client.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver: resolverThrough(client),
    questions,
    close: async () => {
      client.cancel();
      socket.close();
      await once(socket, 'close');
    },
  };
}

function resolverThrough(client: dns.Resolver): Resolver {
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.all([
      client.resolve4(hostname).catch(noData),
      client.resolve6(hostname).catch(noData),
    ]);
    return [...ipv4, ...ipv6].map((address): ResolvedAddress => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
}

/** A name may have addresses of one family only. */
function noData(error: unknown): string[] {
  if (codeOf(error) === 'ENODATA') return [];
  throw error;
}

function questionOf(query: Buffer): { name: string; type: 'A' | 'AAAA'; end: number } {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('ascii', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const type = query.readUInt16BE(offset + 1) === TYPES.AAAA ? 'AAAA' : 'A';
  return { name: labels.join('.'), type, end: offset + 5 };
}

/** Header and question of the query, then one record an address that points back to the name of the question. */
function answerTo(question: Buffer, addresses: readonly string[], type: 'A' | 'AAAA'): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8580, 2); // Response, authoritative, recursion available, no error.
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8); // No authority, no additional records.
  return Buffer.concat([header, ...addresses.map((address) => record(address, type))]);
}

function record(address: string, type: 'A' | 'AAAA'): Buffer {
  const data = Buffer.from(parseAddress(address)?.bytes ?? []);
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  fixed.writeUInt16BE(TYPES[type], 2);
  fixed.writeUInt16BE(1, 4); // Class IN.
  fixed.writeUInt32BE(0, 6); // TTL 0.
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

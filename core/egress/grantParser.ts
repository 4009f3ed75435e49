import { contains, overlaps, parseAddress, parseCidr, type Cidr } from './address';
import { CLASSES } from './classes';
import { CLASSIFIED_RANGES, type ClassifiedRange } from './classify';
import { EgressPolicyError } from './errors';
import { CREDENTIAL_ID, type Grant } from './grant';

const MAX_PORTS = 64;
const MAX_CREDENTIALS = 256;
const KEYS: readonly string[] = ['cidr', 'ports', 'credentials'];
const GRANTABLE = CLASSIFIED_RANGES.filter((range) => CLASSES[range.class].verdict === 'grantable');
const NEVER = CLASSIFIED_RANGES.filter((range) => CLASSES[range.class].verdict === 'never');
const NAMES_OF_GRANTABLE = GRANTABLE.map((range) => range.text).join(', ');

/** Refuses an entry: the problem goes on from its name. */
type Refuse = (problem: string) => EgressPolicyError;

/**
 * Reads one entry of the list of grants. A wrong key is refused: `credential` for `credentials` would otherwise open
 * the range to everybody.
 *
 * @param variable the environment variable the list is from, and `position` the place in it, from 1: for the error.
 * @throws EgressPolicyError
 */
export function parseGrant(value: unknown, variable: string, position: number): Grant {
  const refuse: Refuse = (problem) => new EgressPolicyError(variable, `entry ${position} ${problem}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('must be an object like {"cidr":"10.0.0.0/24","ports":[6443]}');
  }
  const entry = new Map<string, unknown>(Object.entries(value));
  if ([...entry.keys()].some((key) => !KEYS.includes(key))) {
    throw refuse('has an unknown key; the keys are cidr, ports and credentials');
  }
  const grant = { cidr: grantableCidr(entry.get('cidr'), refuse), ports: portList(entry.get('ports'), refuse) };
  if (!entry.has('credentials')) return grant;
  return { ...grant, credentialIds: credentialList(entry.get('credentials'), refuse) };
}

function grantableCidr(value: unknown, refuse: Refuse): string {
  const text = typeof value === 'string' ? value.trim() : '';
  const cidr = parseCidr(text);
  if (cidr === undefined) throw refuse(`needs a cidr ${whatIsWrongWith(text)}`);
  const never = NEVER.find((range) => overlaps(range.cidr, cidr));
  if (never !== undefined) {
    throw refuse(
      `grants ${text}, which contains ${never.text}: ${CLASSES[never.class].words} is never connected to. Write smaller ranges that leave it out`,
    );
  }
  if (!GRANTABLE.some((range) => isInside(cidr, range))) {
    throw refuse(
      `grants ${text}, which is not wholly inside a private range (${NAMES_OF_GRANTABLE}). Public addresses need no grant; an IPv4 range is written as IPv4`,
    );
  }
  return `${cidr.base.text}/${cidr.prefix}`;
}

function isInside(cidr: Cidr, outer: ClassifiedRange): boolean {
  return cidr.prefix >= outer.cidr.prefix && contains(outer.cidr, cidr.base);
}

/** Says what to write. The text is repeated only where it can be nothing but an address: a file may hold anything. */
function whatIsWrongWith(text: string): string {
  const [base = '', prefix] = text.split('/');
  const address = parseAddress(base);
  if (address === undefined) return 'like "10.0.0.0/24"';
  if (prefix === undefined)
    return `with a prefix: write "${address.text}/${address.bytes.length * 8}" for this one address`;
  return 'whose bits after the prefix are zero, like "10.0.0.0/24"';
}

function portList(value: unknown, refuse: Refuse): readonly number[] {
  const isPort = (port: unknown): port is number =>
    Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535;
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_PORTS || !value.every(isPort)) {
    throw refuse(`needs ports: a list of 1 to ${MAX_PORTS} numbers from 1 to 65535, like [6443]`);
  }
  return value;
}

function credentialList(value: unknown, refuse: Refuse): readonly string[] {
  const isId = (id: unknown): id is string => typeof id === 'string' && CREDENTIAL_ID.test(id);
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CREDENTIALS || !value.every(isId)) {
    throw refuse(
      `has credentials that are not a list of 1 to ${MAX_CREDENTIALS} credential ids; leave it out to admit every credential`,
    );
  }
  return value;
}

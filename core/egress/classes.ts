/** What an address is. The table {@link RANGES} says which addresses belong to a class. */
export type AddressClass =
  | 'public'
  | 'private'
  | 'shared'
  | 'benchmark'
  | 'unique-local'
  | 'loopback'
  | 'unspecified'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'documentation'
  | 'site-local'
  | 'discard'
  | 'invalid';

/** Whether an address may be connected to: always, with a grant of the administrator, or never. */
export type Verdict = 'allow' | 'grantable' | 'never';

/** The verdict of each class and the words an error uses for one of its addresses. */
export const CLASSES: Readonly<Record<AddressClass, { readonly verdict: Verdict; readonly words: string }>> = {
  public: { verdict: 'allow', words: 'a public address' },
  private: { verdict: 'grantable', words: 'a private address' },
  shared: { verdict: 'grantable', words: 'an address of the shared range of carriers (100.64.0.0/10)' },
  benchmark: { verdict: 'grantable', words: 'an address of the benchmark range (198.18.0.0/15)' },
  'unique-local': { verdict: 'grantable', words: 'a private IPv6 address (unique local)' },
  loopback: { verdict: 'never', words: 'a loopback address (the n8n host itself)' },
  unspecified: { verdict: 'never', words: 'an unspecified address (it reaches the n8n host itself)' },
  'link-local': { verdict: 'never', words: 'a link-local address' },
  metadata: { verdict: 'never', words: 'the address of a cloud metadata service' },
  multicast: { verdict: 'never', words: 'a multicast address' },
  broadcast: { verdict: 'never', words: 'the broadcast address' },
  reserved: { verdict: 'never', words: 'a reserved address' },
  documentation: { verdict: 'never', words: 'an address for documentation' },
  'site-local': { verdict: 'never', words: 'a site-local address (deprecated)' },
  discard: { verdict: 'never', words: 'a discard-only address' },
  invalid: { verdict: 'never', words: 'not a valid host or address' },
};

/** A range of addresses and its class. */
export interface AddressRange {
  readonly cidr: string;
  readonly class: AddressClass;
  /** Where the rule comes from. */
  readonly source: string;
}

/**
 * Every range with a class of its own; the first match decides. What no range names is public in IPv4 and reserved in
 * IPv6, where only 2000::/3 is in use. Sources: the IANA special-purpose registries of both families, and the
 * documentation of the cloud providers for the metadata services.
 *
 * A carrier is an IPv6 range whose addresses hold an IPv4 address: what is inside decides (carriers.ts), so the range
 * itself is public here.
 */
export const RANGES: readonly AddressRange[] = [
  { cidr: '169.254.169.254/32', class: 'metadata', source: 'AWS, Azure, GCP, OpenStack and others' },
  { cidr: '169.254.170.2/32', class: 'metadata', source: 'AWS ECS task credentials' },
  { cidr: '169.254.170.23/32', class: 'metadata', source: 'AWS EKS Pod Identity' },
  { cidr: '100.100.100.200/32', class: 'metadata', source: 'Alibaba Cloud' },
  { cidr: '192.0.0.192/32', class: 'metadata', source: 'Oracle Cloud' },
  { cidr: '168.63.129.16/32', class: 'metadata', source: 'Azure wire server' },
  { cidr: 'fd00:ec2::254/128', class: 'metadata', source: 'AWS' },
  { cidr: 'fd00:ec2::23/128', class: 'metadata', source: 'AWS EKS Pod Identity' },
  { cidr: 'fd20:ce::254/128', class: 'metadata', source: 'GCP' },

  { cidr: '0.0.0.0/8', class: 'unspecified', source: 'RFC 791; 0.0.0.0 reaches loopback on Linux' },
  { cidr: '10.0.0.0/8', class: 'private', source: 'RFC 1918' },
  { cidr: '100.64.0.0/10', class: 'shared', source: 'RFC 6598' },
  { cidr: '127.0.0.0/8', class: 'loopback', source: 'RFC 1122' },
  { cidr: '169.254.0.0/16', class: 'link-local', source: 'RFC 3927' },
  { cidr: '172.16.0.0/12', class: 'private', source: 'RFC 1918' },
  { cidr: '192.0.0.0/24', class: 'reserved', source: 'RFC 6890, IETF protocol assignments' },
  { cidr: '192.0.2.0/24', class: 'documentation', source: 'RFC 5737' },
  { cidr: '192.88.99.0/24', class: 'reserved', source: 'RFC 7526, 6to4 relays' },
  { cidr: '192.168.0.0/16', class: 'private', source: 'RFC 1918' },
  { cidr: '198.18.0.0/15', class: 'benchmark', source: 'RFC 2544' },
  { cidr: '198.51.100.0/24', class: 'documentation', source: 'RFC 5737' },
  { cidr: '203.0.113.0/24', class: 'documentation', source: 'RFC 5737' },
  { cidr: '224.0.0.0/4', class: 'multicast', source: 'RFC 5771' },
  { cidr: '255.255.255.255/32', class: 'broadcast', source: 'RFC 919' },
  { cidr: '240.0.0.0/4', class: 'reserved', source: 'RFC 1112' },

  { cidr: '::/128', class: 'unspecified', source: 'RFC 4291; reaches loopback on Linux' },
  { cidr: '::1/128', class: 'loopback', source: 'RFC 4291' },
  { cidr: '::/96', class: 'public', source: 'carrier, RFC 4291 (IPv4-compatible)' },
  { cidr: '::ffff:0:0/96', class: 'public', source: 'carrier, RFC 4291 (IPv4-mapped)' },
  { cidr: '::ffff:0:0:0/96', class: 'public', source: 'carrier, RFC 2765 (IPv4-translated)' },
  { cidr: '64:ff9b::/96', class: 'public', source: 'carrier, RFC 6052 (NAT64)' },
  { cidr: '64:ff9b:1::/48', class: 'public', source: 'carrier, RFC 8215 (local NAT64)' },
  { cidr: '100::/64', class: 'discard', source: 'RFC 6666' },
  { cidr: '2001::/32', class: 'public', source: 'carrier, RFC 4380 (Teredo)' },
  { cidr: '2001::/23', class: 'reserved', source: 'RFC 2928, IETF protocol assignments' },
  { cidr: '2001:db8::/32', class: 'documentation', source: 'RFC 3849' },
  { cidr: '3fff::/20', class: 'documentation', source: 'RFC 9637' },
  { cidr: '2000::/3', class: 'public', source: 'RFC 4291, global unicast (6to4 carriers of RFC 3056 in it)' },
  { cidr: 'fc00::/7', class: 'unique-local', source: 'RFC 4193' },
  { cidr: 'fe80::/10', class: 'link-local', source: 'RFC 4291' },
  { cidr: 'fec0::/10', class: 'site-local', source: 'RFC 3879' },
  { cidr: 'ff00::/8', class: 'multicast', source: 'RFC 4291' },
];

/** Names of metadata services (GCP, AWS). They resolve to metadata addresses; as names they are refused before DNS. */
export const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** Names of the host itself, beside `localhost` and everything below it (RFC 6761): what Linux puts into /etc/hosts. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set([
  'localhost.localdomain',
  'localhost6',
  'localhost6.localdomain6',
  'ip6-localhost',
  'ip6-loopback',
]);

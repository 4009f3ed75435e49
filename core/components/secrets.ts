import { isRecord } from '../kube';

/**
 * Finds secrets that are given as text. By their keys (a word list, see {@link isSecretKey}) and, whatever the key, by
 * two forms nobody mistakes: a URL with a password, and a private key. What a Secret is called, where it lies and how
 * long it lasts is no secret: `existingSecret`, `passwordFile`, `tokenTTL`.
 */

/** Last words of keys that hold secrets. */
const WORDS = new Set([
  'authorization',
  'bearer',
  'credential',
  'credentials',
  'dockerconfigjson',
  'dsn',
  'htpasswd',
  'kubeconfig',
  'pass',
  'passphrase',
  'passwd',
  'password',
  'passwords',
  'pgpass',
  'pwd',
  'secret',
  'secrets',
  'token',
  'tokens',
]);
/** Last words that hold secrets together with the word before them. */
const PAIRS = new Set([
  ...['access', 'account', 'api', 'auth', 'encryption', 'hmac', 'jwt', 'master', 'private', 'secret', 'shared'].flatMap(
    (word) => [`${word}key`, `${word}keys`],
  ),
  ...['signing', 'ssh', 'storage'].flatMap((word) => [`${word}key`, `${word}keys`]),
  'connectionstring',
  'connectionstrings',
  'connstring',
  'connstr',
]);
/** Words in front that make the name of a Secret of `…Secret`, or the key within one of `…SecretKey`. */
const NAMING = new Set(['existing', 'pull', 'external', 'tls']);
/** Keys that hold the value of what is around them. */
const CONTENT = new Set(['value', 'values', 'literal', 'plaintext', 'text']);

/** Each part is bounded, so that a hostile text costs no more than its length. */
const URL_WITH_PASSWORD = /(?:^|[\s"'=(])[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@"']{0,200}:([^/\s@"']{1,500})@/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** `$(NAME)`: Kubernetes puts another variable of the container there. */
const VARIABLE = /\$\([A-Za-z_][A-Za-z0-9_]*\)/g;
/** How many levels are looked at; deeper values are refused elsewhere. */
const MAX_DEPTH = 60;

/** Whether a key is one that secrets stand under: `password`, `apiKey`, `DB_PASSWORD`, `client-secret`. */
function isSecretKey(key: string): boolean {
  const words = wordsOf(key);
  const last = words.at(-1) ?? '';
  const before = words.at(-2);
  if (last.startsWith('secret') || PAIRS.has(`${before ?? ''}${last}`)) {
    if (words.some((word) => NAMING.has(word))) return false;
  }
  if (WORDS.has(last) || PAIRS.has(last)) return true;
  if (before !== undefined && PAIRS.has(`${before}${last}`)) return true;
  // Written as one word: apikey, dbpassword, clientsecret.
  return /(?:password|passwd|passphrase|apikey|secretkey|privatekey|accesskey|clientsecret|apitoken|authtoken)$/.test(
    last,
  );
}

/** The paths of values that are secrets given as text, in order; the values are not repeated. */
export function inlineSecrets(values: unknown, path = ''): readonly string[] {
  const found: string[] = [];
  replaced(values, { path, secret: false, depth: 0 }, (place) => found.push(place));
  return found;
}

/** Values with something else in the place of each secret that is given as text: what may be shown of them. */
export function withoutInlineSecrets(values: unknown, mask: string): unknown {
  return replaced(values, { path: '', secret: false, depth: 0 }, () => mask);
}

/** Whether a text under a key is a secret. */
export function isInlineSecret(key: string, value: string): boolean {
  return (isSecretKey(key) && isLiteral(value)) || tellsSecret(value);
}

interface Place {
  readonly path: string;
  /** Whether a key above says that a secret stands here. */
  readonly secret: boolean;
  readonly depth: number;
}

/** A value with what is given in the place of each secret. */
function replaced(value: unknown, place: Place, give: (path: string) => unknown): unknown {
  if (place.depth > MAX_DEPTH) return value;
  if (typeof value === 'string') {
    return (place.secret && isLiteral(value)) || tellsSecret(value) ? give(place.path) : value;
  }
  const depth = place.depth + 1;
  if (Array.isArray(value)) {
    // A list of Secrets by name, as `secrets: [{name: …}]`, is none of secrets.
    return value.map((item: unknown, index) =>
      replaced(item, { path: `${place.path}[${index}]`, secret: place.secret, depth }, give),
    );
  }
  if (!isRecord(value)) return value;
  const named = typeof value.name === 'string' && isSecretKey(value.name);
  const entries = Object.entries(value).map(([key, child]) => {
    const path = place.path === '' ? shownKey(key) : `${place.path}.${shownKey(key)}`;
    const content = CONTENT.has(key.toLowerCase()) && (place.secret || named);
    return [key, replaced(child, { path, secret: isSecretKey(key) || content, depth }, give)] as const;
  });
  return Object.fromEntries(entries);
}

/** Text that stands for itself: not empty, no switch, not put together from other variables. */
function isLiteral(value: string): boolean {
  const rest = value.replace(VARIABLE, '').trim();
  return rest !== '' && rest !== 'true' && rest !== 'false';
}

function tellsSecret(value: string): boolean {
  if (PRIVATE_KEY.test(value)) return true;
  for (const [, password = ''] of value.matchAll(URL_WITH_PASSWORD)) {
    if (isLiteral(password)) return true;
  }
  return false;
}

/** The words of a key in small letters: `dbPassword`, `DB_PASSWORD` and `db-password` alike. */
function wordsOf(key: string): readonly string[] {
  return key
    .slice(0, 256)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

function shownKey(key: string): string {
  return key.replace(/[^\w.-]/g, '?').slice(0, 63);
}

import { dump } from 'js-yaml';

/** The address that tests register. */
export const SERVER = 'https://api.cluster.example:6443';

export const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.c2VjcmV0LXRva2VuLW9mLW5hdmlu.c2lnbmF0dXJl';

/** A mapping of a kubeconfig in a test: any key, so that tests can write what must be refused. */
export type Fields = Record<string, unknown>;

/** The parts of a kubeconfig that tests change. */
export interface Parts {
  readonly cluster?: Fields;
  readonly user?: Fields;
  readonly context?: Fields;
  readonly root?: Fields;
}

/** Base64 as `…-data` keys hold it. */
export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A kubeconfig with one cluster, user and context; `undefined` in a part removes the key. */
export function config(ca: string, parts: Parts = {}): Fields {
  return clean({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'prod',
        cluster: clean({ server: SERVER, 'certificate-authority-data': base64(ca), ...parts.cluster }),
      },
    ],
    users: [{ name: 'navin', user: clean({ token: TOKEN, ...parts.user }) }],
    contexts: [{ name: 'navin@prod', context: clean({ cluster: 'prod', user: 'navin', ...parts.context }) }],
    'current-context': 'navin@prod',
    ...parts.root,
  });
}

/** The same with entries behind the first ones that no context uses. */
export function withUnused(base: Fields, extra: { cluster?: Fields; user?: Fields }): Fields {
  const { clusters, users } = base as { clusters: unknown[]; users: unknown[] };
  return {
    ...base,
    clusters: extra.cluster === undefined ? clusters : [...clusters, { name: 'unused', cluster: extra.cluster }],
    users: extra.user === undefined ? users : [...users, { name: 'unused', user: extra.user }],
  };
}

/** YAML as kubectl writes it: block style, no line folding. */
export function yaml(value: Fields): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

function clean(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

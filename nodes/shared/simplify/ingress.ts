import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, numberAt, textAt, textsAt } from '../json';

/** Names the class on Ingresses that were made before there was a field for it. */
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** An Ingress in flat fields; `rules` has one entry for each path, and the host `*` for any. */
export function simplifyIngress(ingress: KubeObject): object {
  const rules = listAt(ingress, 'spec', 'rules').flatMap(pathsOf);
  const tls = listAt(ingress, 'spec', 'tls');
  const defaultBackend = at(ingress, 'spec', 'defaultBackend');
  return defined({
    name: textAt(ingress, 'metadata', 'name'),
    namespace: textAt(ingress, 'metadata', 'namespace'),
    class: textAt(ingress, 'spec', 'ingressClassName') ?? textAt(ingress, 'metadata', 'annotations', CLASS_ANNOTATION),
    hosts: [...new Set(rules.map(({ host }) => host))],
    rules,
    defaultBackend: defaultBackend === undefined ? undefined : backendText(defaultBackend),
    addresses: listAt(ingress, 'status', 'loadBalancer', 'ingress').flatMap(
      (entry) => textAt(entry, 'ip') ?? textAt(entry, 'hostname') ?? [],
    ),
    tlsHosts: [...new Set(tls.flatMap((entry) => listAt(entry, 'hosts').filter((host) => typeof host === 'string')))],
    tlsSecrets: tls.flatMap((entry) => textAt(entry, 'secretName') ?? []),
    createdAt: textAt(ingress, 'metadata', 'creationTimestamp'),
    labels: textsAt(ingress, 'metadata', 'labels'),
  });
}

interface IngressPath {
  readonly host: string;
  readonly path: string;
  readonly pathType?: string;
  readonly backend?: string;
}

/** A rule without paths sends all of its host to the default backend. */
function pathsOf(rule: unknown): readonly IngressPath[] {
  const host = textAt(rule, 'host') ?? '*';
  const paths = listAt(rule, 'http', 'paths').map((path) =>
    defined({
      host,
      path: textAt(path, 'path') ?? '/',
      pathType: textAt(path, 'pathType'),
      backend: backendText(at(path, 'backend')),
    }),
  );
  return paths.length === 0 ? [{ host, path: '/' }] : paths;
}

/** `web:80`, `web:http`, or `StorageBucket/static` for what is no Service. */
function backendText(backend: unknown): string {
  const service = textAt(backend, 'service', 'name');
  if (service === undefined) {
    return `${textAt(backend, 'resource', 'kind') ?? ''}/${textAt(backend, 'resource', 'name') ?? ''}`;
  }
  const port = textAt(backend, 'service', 'port', 'name') ?? numberAt(backend, 'service', 'port', 'number');
  return port === undefined ? service : `${service}:${String(port)}`;
}

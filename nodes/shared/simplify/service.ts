import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, numberAt, textAt, textsAt } from '../json';

/** A Service in flat fields; `ports` as kubectl prints them, with their targets. */
export function simplifyService(service: KubeObject): object {
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  const balancers = ingress.map((entry) => textAt(entry, 'ip') ?? textAt(entry, 'hostname'));
  const external = [...balancers, ...listAt(service, 'spec', 'externalIPs'), textAt(service, 'spec', 'externalName')];
  return defined({
    name: textAt(service, 'metadata', 'name'),
    namespace: textAt(service, 'metadata', 'namespace'),
    type: textAt(service, 'spec', 'type'),
    clusterIP: textAt(service, 'spec', 'clusterIP'),
    clusterIPs: listAt(service, 'spec', 'clusterIPs').filter((address) => typeof address === 'string'),
    external: external.filter((address) => typeof address === 'string'),
    ports: listAt(service, 'spec', 'ports').map(portText),
    selector: textsAt(service, 'spec', 'selector'),
    sessionAffinity: textAt(service, 'spec', 'sessionAffinity'),
    loadBalancerClass: textAt(service, 'spec', 'loadBalancerClass'),
    createdAt: textAt(service, 'metadata', 'creationTimestamp'),
    labels: textsAt(service, 'metadata', 'labels'),
  });
}

/** `http 80/TCP to 8080, node port 30080` */
function portText(port: unknown): string {
  const name = textAt(port, 'name');
  const target = at(port, 'targetPort');
  const nodePort = numberAt(port, 'nodePort');
  return [
    name === undefined ? '' : `${name} `,
    `${String(numberAt(port, 'port') ?? 0)}/${textAt(port, 'protocol') ?? 'TCP'}`,
    typeof target === 'string' || typeof target === 'number' ? ` to ${String(target)}` : '',
    nodePort === undefined ? '' : `, node port ${String(nodePort)}`,
  ].join('');
}

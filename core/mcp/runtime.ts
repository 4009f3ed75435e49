import { isRecord, type KubeObject } from '../kube';

/** The Deployment of the ToolHive operator. */
export interface RuntimeOperator {
  readonly found: boolean;
  /** Every replica that is asked for is ready, and there is one at least. */
  readonly ready: boolean;
  readonly replicas?: number;
  readonly readyReplicas?: number;
  /** Of ToolHive, as its chart labels it; else the tag of the image. */
  readonly version?: string;
}

/** @param deployment undefined when there is none */
export function runtimeOperator(deployment: KubeObject | undefined): RuntimeOperator {
  if (deployment === undefined) return { found: false, ready: false };
  const spec = isRecord(deployment.spec) ? deployment.spec : {};
  const status = isRecord(deployment.status) ? deployment.status : {};
  // The API server fills in 1.
  const replicas = typeof spec.replicas === 'number' ? spec.replicas : 1;
  const readyReplicas = typeof status.readyReplicas === 'number' ? status.readyReplicas : 0;
  const version = versionOf(deployment, spec);
  const ready = replicas > 0 && readyReplicas >= replicas;
  return { found: true, ready, replicas, readyReplicas, ...(version === undefined ? {} : { version }) };
}

function versionOf({ metadata }: KubeObject, spec: Readonly<Record<string, unknown>>): string | undefined {
  const label: unknown = metadata.labels?.['app.kubernetes.io/version'];
  if (typeof label === 'string' && label !== '') return label;
  const template = isRecord(spec.template) && isRecord(spec.template.spec) ? spec.template.spec : {};
  const containers: readonly unknown[] = Array.isArray(template.containers) ? template.containers : [];
  const images = containers.map((container) => (isRecord(container) ? container.image : undefined));
  const image = images.find((each) => typeof each === 'string' && each.includes('toolhive')) ?? images[0];
  // Behind the last slash, because a registry may have a port.
  const name = typeof image === 'string' ? (image.split('/').at(-1) ?? '') : '';
  return /^[^:@]+:([\w][\w.-]{0,127})/.exec(name)?.[1];
}

/** A ManagedComponent of ToolHive: what the Navin Platform Operator says of it. */
export interface RuntimeComponent {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly operationState: string;
  readonly securityState: string;
  /** The operator has seen the newest generation, and the workloads are as it asks. */
  readonly converged: boolean;
  /** Why it is not, where the operator says so: `ForbiddenKind`. */
  readonly reason?: string;
  readonly message?: string;
}

/** What is not confirmed for the newest generation is unknown, never what was asked for. */
export function runtimeComponent(component: KubeObject): RuntimeComponent {
  const { metadata } = component;
  const status = isRecord(component.status) ? component.status : {};
  const seen = status.observedGeneration === metadata.generation;
  const operation = isRecord(status.operation) ? status.operation : {};
  const security = isRecord(status.security) ? status.security : {};
  const reason = word(security.reason) ?? word(operation.reason);
  const message = sentence(security.message) ?? sentence(operation.message);
  return {
    name: metadata.name ?? '',
    state: word(status.state) ?? 'unknown',
    health: word(status.health) ?? 'unknown',
    operationState: (seen ? word(status.operationState) : undefined) ?? 'unknown',
    securityState: (seen ? word(status.securityState) : undefined) ?? 'unknown',
    converged: seen && status.converged === true,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Whether the operator has come to an end with the newest generation, good or bad. */
export function isDecided({ converged, operationState, securityState }: RuntimeComponent): boolean {
  return converged || ['failed', 'blocked'].includes(operationState) || securityState === 'non_compliant';
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 64 ? value : undefined;
}

/** The definition of the resource bounds what an operator writes here. */
function sentence(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 1_024) : undefined;
}

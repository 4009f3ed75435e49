import type { CommandOptions, KubeClient } from '../../../../core/kube';
import { defaultContainer, RESOURCES } from '../../../../core/kube';
import type { OperationContext } from '../../../shared/operation';

/** The rights of everything that executes commands. Clusters before Kubernetes 1.35 ask for `get`, newer ones for `create` too. */
export const COMMAND_RIGHTS = [
  { verb: 'get', group: '', resource: 'pods' },
  { verb: 'get', group: '', resource: 'pods', subresource: 'exec' },
  { verb: 'create', group: '', resource: 'pods', subresource: 'exec' },
] as const;

/** Which container of which pod; an empty container stands for the default one. */
export interface CommandTarget {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
}

/** The container a command runs in: the Pod is read, so that the error of a wrong one names those there are. */
export async function containerFor(
  client: KubeClient,
  { namespace, name, container }: CommandTarget,
): Promise<CommandTarget> {
  const pod = await client.get(RESOURCES.pods, { namespace, name });
  return { namespace, name, container: defaultContainer(pod, container === '' ? undefined : container) };
}

/** Runs a command and gives its exit code; what it writes goes to the sinks. */
export async function exitCode(
  client: KubeClient,
  { namespace, name, container }: CommandTarget,
  options: Omit<CommandOptions, 'container' | 'signal'>,
  { signal }: OperationContext,
): Promise<number> {
  const result = await client.run({ namespace, name }, { ...options, container, signal });
  return result.exitCode;
}

/** Keeps the beginning of what a command writes, and knows whether there was more. */
export class BoundedText {
  private readonly pieces: Buffer[] = [];
  private size = 0;
  truncated = false;

  constructor(private readonly maxBytes: number) {}

  readonly take = (bytes: Buffer): void => {
    const kept = bytes.subarray(0, this.maxBytes - this.size);
    if (kept.length < bytes.length) this.truncated = true;
    if (kept.length === 0) return;
    // A copy: the piece may be part of a larger buffer.
    this.pieces.push(Buffer.from(kept));
    this.size += kept.length;
  };

  get text(): string {
    return Buffer.concat(this.pieces).toString('utf8');
  }
}

import { NavinError } from '../../../../core/errors';
import type { KubeObject } from '../../../../core/kube';
import { KINDS } from '../../../shared/kinds';
import { listAt, textAt } from '../../../shared/json';
import { parameterInvalid } from '../../../shared/parameters';
import type { WorkloadKind } from './workload';

/** The lists of containers in a pod template. */
export type ContainerList = 'containers' | 'initContainers';

/** The option that means the other list. */
export const INIT_CONTAINER_OPTION = {
  displayName: 'Init Container',
  name: 'initContainer',
  type: 'boolean',
  default: false,
  description: 'Whether the container is an init container',
} as const;

/** A container of a pod template and its place in the list. @throws NavinError that names those there are */
export function findContainer(
  kind: WorkloadKind,
  workload: KubeObject,
  list: ContainerList,
  wanted: string,
): { readonly container: string; readonly index: number } {
  const names = listAt(workload, 'spec', 'template', 'spec', list).map((entry) => textAt(entry, 'name') ?? '');
  const container = wanted === '' && names.length === 1 ? (names[0] ?? '') : wanted;
  const index = container === '' ? -1 : names.indexOf(container);
  if (index >= 0) return { container, index };
  const { title } = KINDS[kind];
  const what = list === 'containers' ? 'a container' : 'an init container';
  if (names.length === 0) {
    throw new NavinError('k8s_parameter_invalid', `This ${title} has no ${what.replace(/^an? /, '')}`, {
      hint: "Look at the option 'Init Container'",
      details: { parameter: 'container' },
    });
  }
  const problem = wanted === '' ? 'is not chosen, and there are several' : `is not ${what} of this ${title}`;
  throw parameterInvalid('container', 'Container', `${problem}; it has: ${names.join(', ')}`);
}

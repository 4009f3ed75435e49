import type { KubeObject } from '../kube';
import type { Because } from './reasons';
import type { ComponentSpec } from './resource/spec';
import { componentProblems } from './resource/validate';
import { inlineSecrets } from './secrets';
import { chartValues } from './values';

/** Why a spec is refused, and where. */
export interface SpecRefusal extends Because {
  readonly reason: 'InvalidSpec' | 'InlineSecret';
  /** For instance `spec.values.auth.password`; empty: the resource itself. */
  readonly path: string;
}

/**
 * Why nothing can be made of a spec, whatever its chart is. Whoever writes a component asks before it is sent; the operator
 * asks once more, because others write components, too.
 */
export function specRefusal(component: KubeObject): SpecRefusal | undefined {
  const [problem] = componentProblems(component);
  if (problem !== undefined) {
    const { path, message } = problem;
    return { reason: 'InvalidSpec', message: `${path || 'The resource'} ${message}.`, path };
  }
  const spec = component.spec as ComponentSpec;
  const [path] = inlineSecrets(spec.values, 'spec.values');
  if (path !== undefined) {
    const message = `${path} holds a secret as text. Put it into a Secret, and name that in secretRefs.`;
    return { reason: 'InlineSecret', message, path };
  }
  const values = chartValues(spec);
  if (!('conflict' in values)) return undefined;
  const message = `spec.values has something at ${values.conflict}, where the name of a Secret is to go.`;
  return { reason: 'InvalidSpec', message, path: `spec.values.${values.conflict}` };
}

import { isRecord, type KubeObject } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { MASK } from '../../../shared/secretValues';

/** A workload as the node shows its fields: its environment by names, because values may be passwords. */
export function withoutEnvironmentValues(workload: KubeObject): KubeObject {
  const [spec, template, pod] = [['spec'], ['spec', 'template'], ['spec', 'template', 'spec']].map((path) => {
    const found = at(workload, ...path);
    return isRecord(found) ? found : {};
  });
  const lists = ['containers', 'initContainers'].flatMap((list) => {
    const containers = at(pod, list);
    return Array.isArray(containers) ? [[list, containers.map(withoutValues)] as const] : [];
  });
  if (lists.length === 0) return workload;
  const shown = { ...template, spec: { ...pod, ...Object.fromEntries(lists) } };
  return { ...workload, spec: { ...spec, template: shown } };
}

function withoutValues(container: unknown): unknown {
  if (!isRecord(container) || !Array.isArray(container.env)) return container;
  const env = container.env.map((variable: unknown) =>
    isRecord(variable) && variable.value !== undefined ? { ...variable, value: MASK } : variable,
  );
  return { ...container, env };
}

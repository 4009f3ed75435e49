import { type InstanceFilter, isLabelValue } from '../../../core/mcp';
import { parameterInvalid } from '../../shared/parameters';

/**
 * The filter as it was given.
 * @throws NavinError `k8s_parameter_invalid` for what no label can be: it would select something else
 */
export function filterOf({ tenant, project }: { readonly tenant: string; readonly project: string }): InstanceFilter {
  return { tenant: labelValue('tenant', 'Tenant', tenant), project: labelValue('project', 'Project', project) };
}

function labelValue(name: string, label: string, text: string): string | undefined {
  const value = text.trim();
  if (value === '' || isLabelValue(value)) return value === '' ? undefined : value;
  throw parameterInvalid(name, label, 'must be the value of a label: at most 63 letters, digits, -, _ and .');
}

import { INTERVAL_OPTION } from '../../shared/wait';
import { DRY_RUN_OPTION } from '../../shared/write';

/** The parameters of an operation on one managed instance. */
/* @__NO_SIDE_EFFECTS__ */
export function instanceFields() {
  return [
    {
      displayName: 'Namespace',
      name: 'namespace',
      type: 'resourceLocator',
      required: true,
      default: { mode: 'list', value: '' },
      description: 'The namespace of the instance: mcp- and 12 hexadecimal digits',
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          typeOptions: { searchListMethod: 'searchMcpNamespaces', searchable: true },
        },
        { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. mcp-0123456789ab' },
      ],
    },
    {
      displayName: 'Instance',
      name: 'name',
      type: 'resourceLocator',
      required: true,
      default: { mode: 'list', value: '' },
      description: 'The managed MCP instance to act on',
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          typeOptions: { searchListMethod: 'searchMcpInstances', searchable: true },
        },
        { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. fetch' },
      ],
    },
  ] as const;
}

/** Which instances are shown. */
export const TENANT_FIELD = {
  displayName: 'Tenant',
  name: 'tenant',
  type: 'string',
  default: '',
  placeholder: 'e.g. acme',
  description: 'Only instances of this tenant; of all tenants when empty',
} as const;

export const PROJECT_FIELD = {
  displayName: 'Project',
  name: 'project',
  type: 'string',
  default: '',
  placeholder: 'e.g. chat',
  description: 'Only instances of this project; of all projects when empty',
} as const;

/** The option that names one object and not its successor. */
const UID_OPTION = {
  displayName: 'UID',
  name: 'uid',
  type: 'string',
  default: '',
  placeholder: 'e.g. 8f1e2f0c-4a6d-4f0e-9a53-0b2f6c1f5d11',
  description: 'Only this very instance, as Get Many names it, and not another one that has its name by now',
} as const;

/** The options of an operation that changes one instance. */
export const CHANGE_OPTIONS = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [DRY_RUN_OPTION, INTERVAL_OPTION, UID_OPTION],
} as const;

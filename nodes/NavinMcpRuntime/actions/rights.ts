import type { Right } from '../../shared/rights';

/** Instances are in namespaces that come and go: rights on them, and on namespaces, are granted for the whole cluster. */
const MCP_SERVERS = { group: 'toolhive.stacklok.dev', resource: 'mcpservers', clusterWide: true } as const;
const NAMESPACES = { group: '', resource: 'namespaces', clusterWide: true } as const;
/** ToolHive itself is in one namespace. */
const TOOLHIVE = { namespace: 'toolhive-system' } as const;
const COMPONENTS = { group: 'platform.navin.ai', resource: 'managedcomponents', ...TOOLHIVE } as const;

/** To list the managed instances. */
export const LIST_RIGHTS: readonly Right[] = [
  { verb: 'list', ...NAMESPACES },
  { verb: 'list', ...MCP_SERVERS },
];

/** To see the runtime with its instances. */
export const STATUS_RIGHTS: readonly Right[] = [
  { verb: 'get', group: 'apps', resource: 'deployments', ...TOOLHIVE },
  { verb: 'get', ...COMPONENTS },
  ...LIST_RIGHTS,
];

/** To see that an instance is a managed one. */
const FIND_RIGHTS: readonly Right[] = [
  { verb: 'get', ...NAMESPACES },
  { verb: 'get', ...MCP_SERVERS },
];

/** To restart an instance, and to see the rollout of its pods. */
export const RESTART_RIGHTS: readonly Right[] = [
  ...FIND_RIGHTS,
  { verb: 'patch', ...MCP_SERVERS },
  { verb: 'get', group: 'apps', resource: 'deployments', clusterWide: true, optional: true },
];

/** To delete an instance. */
export const DELETE_RIGHTS: readonly Right[] = [...FIND_RIGHTS, { verb: 'delete', ...MCP_SERVERS }];

/** To write the components of ToolHive. */
export const INSTALL_RIGHTS: readonly Right[] = [
  { verb: 'get', ...COMPONENTS },
  { verb: 'create', ...COMPONENTS },
];

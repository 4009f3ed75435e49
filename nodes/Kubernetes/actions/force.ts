/** What a server-side apply does about fields of others. */
export const FORCE_FIELD = {
  displayName: 'Force Conflicts',
  name: 'force',
  type: 'boolean',
  default: false,
  description: 'Whether to take over fields that other managers own; else such an apply is refused and names them',
} as const;

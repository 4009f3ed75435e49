/** What an n8n is started with. */
export interface N8nSettings {
  readonly userFolder: string;
  readonly port: number;
  /** Port of the broker that hands Code nodes to their runner; n8n's default would meet another n8n's. */
  readonly brokerPort: number;
  /** The package's own variables, such as NAVIN_PRIVATE_NETWORKS. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Calls nobody outside, asks for no survey, listens on the loopback address alone. */
const FIXED = {
  NODE_ENV: 'production',
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
  // The editor is reached by http.
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
  N8N_DYNAMIC_BANNERS_ENABLED: 'false',
  N8N_HIRING_BANNER_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
  // The registry of MCP servers and n8n's own assistant fetch from outside at start.
  N8N_DISABLED_MODULES: 'mcp-registry,instance-ai',
  N8N_PYTHON_ENABLED: 'false',
  // Ours is an unverified community package.
  N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
  N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  N8N_REINSTALL_MISSING_PACKAGES: 'false',
  N8N_LOG_LEVEL: 'info',
  N8N_LOG_OUTPUT: 'console',
  GENERIC_TIMEZONE: 'UTC',
  TZ: 'UTC',
} as const;

/**
 * The whole environment of n8n. Nothing else of this process's environment reaches it: a developer's own N8N_*
 * variables, jest's NODE_ENV and the package's grants must not decide what a test sees. n8n makes its encryption key
 * itself and keeps it in its folder.
 */
export function n8nEnvironment(settings: N8nSettings): Readonly<Record<string, string>> {
  return {
    ...FIXED,
    PATH: process.env.PATH ?? '',
    HOME: settings.userFolder,
    N8N_USER_FOLDER: settings.userFolder,
    N8N_PORT: String(settings.port),
    N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),
    N8N_EDITOR_BASE_URL: `http://127.0.0.1:${settings.port}`,
    WEBHOOK_URL: `http://127.0.0.1:${settings.port}`,
    ...settings.env,
  };
}

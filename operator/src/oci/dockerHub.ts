/** What people and docker's config.json call Docker Hub; neither is a registry. */
const NAMES: readonly string[] = ['docker.io', 'index.docker.io'];
const REGISTRY = 'registry-1.docker.io';

/** The host that answers for a registry: another one than its name for Docker Hub alone. */
export function registryHost(name: string): string {
  return NAMES.includes(name) ? REGISTRY : name;
}

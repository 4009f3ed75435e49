import { RESOURCES, type ApiResource } from './apiResource';
import { discover, type Discovered, type DiscoveryFailure } from './discovery';
import type { Requester } from './requester';
import { findBuiltIn, findByKind, findResource, unknownResource } from './resourceNames';

/** How long discovery is trusted, in ms. */
const TTL_MS = 300_000;
/** A name that is not found asks again when discovery is older than this, in ms: its definition may be new. */
const FRESH_MS = 5_000;

/** What a cluster serves, discovered when it is first needed and remembered for five minutes. */
export class ResourceCatalog {
  private known: { readonly at: number; readonly found: Promise<Discovered> } | undefined;

  constructor(
    private readonly requester: Requester,
    private readonly now: () => number,
  ) {}

  /** @throws NavinError `k8s_not_found` with suggestions */
  async resource(name: string, signal?: AbortSignal): Promise<ApiResource> {
    return findBuiltIn(name) ?? this.find((resources) => findResource(resources, name), name, signal);
  }

  /** @throws NavinError `k8s_not_found` with suggestions */
  async resourceFor(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ApiResource> {
    const find = (resources: readonly ApiResource[]): ApiResource | undefined =>
      findByKind(resources, apiVersion, kind);
    return find(Object.values(RESOURCES)) ?? this.find(find, `${apiVersion}/${kind}`, signal);
  }

  /** Each resource in the version its group prefers. */
  async resources(signal?: AbortSignal): Promise<readonly ApiResource[]> {
    const { resources } = await this.discovered(TTL_MS, signal);
    const preferred = new Map<string, ApiResource>();
    for (const resource of resources) {
      const key = `${resource.plural}.${resource.group}`;
      if (!preferred.has(key)) preferred.set(key, resource);
    }
    return [...preferred.values()];
  }

  /** Groups that could not be read. */
  async failures(signal?: AbortSignal): Promise<readonly DiscoveryFailure[]> {
    return (await this.discovered(TTL_MS, signal)).failures;
  }

  private async find(
    pick: (resources: readonly ApiResource[]) => ApiResource | undefined,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<ApiResource> {
    const found = pick((await this.discovered(TTL_MS, signal)).resources);
    if (found) return found;
    const { resources } = await this.discovered(FRESH_MS, signal);
    const foundNow = pick(resources);
    if (foundNow) return foundNow;
    throw unknownResource(name, resources);
  }

  private async discovered(maxAgeMs: number, signal: AbortSignal | undefined): Promise<Discovered> {
    if (this.known && this.now() - this.known.at < maxAgeMs) return this.known.found;
    const known = { at: this.now(), found: discover(this.requester, signal) };
    this.known = known;
    try {
      return await known.found;
    } catch (error) {
      // A failure is not remembered.
      if (this.known === known) this.known = undefined;
      throw error;
    }
  }
}

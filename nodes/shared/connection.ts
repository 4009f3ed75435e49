import type { IExecuteFunctions, ILoadOptionsFunctions, NodeEgressFilter } from 'n8n-workflow';
import {
  type EgressPolicy,
  type ExternalFilter,
  loadEgressPolicy,
  lookupResolver,
  type Resolver,
} from '../../core/egress';
import { KubeClient } from '../../core/kube';
import { type CredentialFields, CREDENTIAL_TYPE, readCredential, targetOf } from './credential';
import { renewable } from './tokenRenewal';

/** What of n8n's contexts a connection needs. */
type Source = Pick<IExecuteFunctions | ILoadOptionsFunctions, 'getCredentials' | 'getNode' | 'logger'> & {
  readonly helpers: { getSecureEgressFilter?(): NodeEgressFilter };
};

/**
 * The connections of one execution. The credential is asked for anew for each item, because it may hold expressions;
 * items with equal credentials share a client.
 */
export class Connections {
  private readonly warnings = new Set<string>();
  private last: { readonly key: string; readonly client: KubeClient } | undefined;

  constructor(
    private readonly source: Source,
    private readonly signal: AbortSignal | undefined,
    /** Gets each warning of the API server once. */
    private readonly onWarning: (text: string) => void = () => undefined,
  ) {}

  /**
   * The client for an item; the guard runs here.
   * @throws NavinError of the guard or the egress policy
   */
  async open(item?: number): Promise<KubeClient> {
    const fields = await this.credential(item);
    const key = JSON.stringify(fields);
    if (this.last?.key === key) return this.last.client;
    this.close();
    const client = this.connect(fields, item);
    this.last = { key, client };
    return client;
  }

  /** Ends what is still under way. */
  close(): void {
    this.last?.client.close();
    this.last = undefined;
  }

  private tell(warning: string): void {
    if (this.warnings.has(warning) || this.warnings.size >= MAX_WARNINGS) return;
    this.warnings.add(warning);
    this.onWarning(warning);
  }

  private async credential(item: number | undefined): Promise<CredentialFields> {
    return readCredential(await this.source.getCredentials(CREDENTIAL_TYPE, item));
  }

  private connect(fields: CredentialFields, item: number | undefined): KubeClient {
    const egress = egressPolicy();
    warnOfDevelopment(egress, this.source.logger);
    const readAgain = async () => targetOf(await this.credential(item), egress).target;
    const credentialId = this.source.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? undefined;
    return new KubeClient({
      ...renewable(targetOf(fields, egress).target, readAgain),
      egress,
      credentialId,
      signal: this.signal,
      onWarning: (text) => {
        this.tell(text);
      },
      ...filterOfN8n(this.source),
    });
  }
}

/** The most different warnings of one execution. */
const MAX_WARNINGS = 20;

let filter: NodeEgressFilter | undefined;

/** One function for the process, because clients share connections only where these are the same. */
const externalFilter: ExternalFilter = async (url) => {
  const result = await filter?.validateUrl(url);
  if (result?.ok === false) throw result.error;
};

const resolver: Resolver = lookupResolver((hostname, options, callback) => {
  filter?.createSecureLookup()(hostname, options, callback);
});

/**
 * n8n's own egress filter (its settings, equal in the whole process), where the context has it: it must agree to the
 * address, and the answers of its lookup are the ones that are checked by our rules and connected to.
 */
function filterOfN8n({ helpers }: Source): { externalFilter?: ExternalFilter; resolver?: Resolver } {
  if (helpers.getSecureEgressFilter === undefined) return {};
  filter = helpers.getSecureEgressFilter();
  return { externalFilter, resolver };
}

let warned = false;

/** Once a process: the log of the n8n host shall say that a loopback address is admitted. */
function warnOfDevelopment({ devApiServer }: EgressPolicy, logger: Source['logger']): void {
  if (devApiServer === undefined || warned) return;
  warned = true;
  const { address, port } = devApiServer;
  logger.warn(`NAVIN_DEV_API_SERVER admits ${address}:${port} as API server, for development only`);
}

let loaded: { readonly key: string; readonly policy: EgressPolicy } | undefined;

/**
 * What the administrator of the n8n host allows, read once a process and again only when the variables change.
 * @throws EgressPolicyError at each use while a variable cannot be used
 */
export function egressPolicy(): EgressPolicy {
  const { NAVIN_PRIVATE_NETWORKS, NAVIN_PRIVATE_NETWORKS_FILE, NAVIN_DEV_API_SERVER } = process.env;
  const key = JSON.stringify([NAVIN_PRIVATE_NETWORKS, NAVIN_PRIVATE_NETWORKS_FILE, NAVIN_DEV_API_SERVER]);
  if (loaded?.key !== key) loaded = { key, policy: loadEgressPolicy(process.env) };
  return loaded.policy;
}

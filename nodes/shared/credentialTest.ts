import type { ICredentialsDecrypted, INodeCredentialTestResult } from 'n8n-workflow';
import { checkServerUrl } from '../../core/egress';
import { NavinError } from '../../core/errors';
import { distributionOf } from '../../core/inventory';
import {
  type AccessAttributes,
  isSupported,
  KubeClient,
  MINIMUM_VERSION,
  RESOURCES,
  type VersionInfo,
} from '../../core/kube';
import { attempt } from './attempt';
import { egressPolicy } from './connection';
import { type CredentialFields, readCredential, targetOf } from './credential';
import { describeFailure } from './errors';
import type { OperationDescription } from './operation';
import { reviewRights } from './review';
import { accessText, rightIn, rightsOfGroup } from './rights';

/** The longest a test takes. */
const TOTAL_MS = 15_000;
/** The longest message: it is shown in a small box. */
const MAX_MESSAGE = 1_500;

/**
 * The connection test of the credential: the guard, the rules of private networks, the version, one pod of the
 * namespace, then each right of the chosen groups. Nothing is created or changed, everything ends within 15 s, and
 * whatever happens the answer is a result, never an exception.
 */
export async function testCredential(
  credential: ICredentialsDecrypted,
  operations: readonly OperationDescription[],
  totalMs = TOTAL_MS,
): Promise<INodeCredentialTestResult> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      stop.abort();
      const message = `The API server did not answer within ${String(totalMs / 1_000)} s`;
      reject(new NavinError('k8s_timeout', message, { hint: 'Look at the load of the API server and the network' }));
    }, totalMs);
  });
  try {
    return await Promise.race([runTest(credential, operations, stop.signal), tooLate]);
  } catch (error) {
    return failed(error);
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

async function runTest(
  credential: ICredentialsDecrypted,
  operations: readonly OperationDescription[],
  signal: AbortSignal,
): Promise<INodeCredentialTestResult> {
  const fields = readCredential(credential.data ?? {});
  const policy = egressPolicy();
  const { target, warnings } = targetOf(fields, policy);
  const about = credential.id ? { credentialId: credential.id } : {};
  const addresses = await checkServerUrl(policy, new URL(target.server), about);
  const byDevelopment = addresses.some(({ admittedBy }) => admittedBy === 'development');
  const notes = [...(byDevelopment ? [DEVELOPMENT] : []), ...warnings];
  const client = new KubeClient({ target, egress: policy, signal, maxRetries: 1, ...about });
  try {
    return await testClient(client, fields, operations, notes);
  } finally {
    client.close();
  }
}

const DEVELOPMENT = 'The address is admitted by NAVIN_DEV_API_SERVER, for development only';

async function testClient(
  client: KubeClient,
  fields: CredentialFields,
  operations: readonly OperationDescription[],
  notes: readonly string[],
): Promise<INodeCredentialTestResult> {
  const version = await client.version();
  const { major, minor } = MINIMUM_VERSION;
  if (!isSupported(version)) {
    throw new NavinError(
      'k8s_unsupported',
      `${nameOf(version)} is too old: ${String(major)}.${String(minor)} or later is needed`,
    );
  }
  const { namespace } = client.target;
  const listed = await attempt(async () => await client.list(RESOURCES.pods, { namespace, limit: 1 }));
  // A right that is missing is named below, and only where it was asked for; a token that is refused ends here.
  if (listed.error !== undefined && listed.error.code !== 'k8s_forbidden') throw listed.error;
  const missing = await missingRights(client, fields, operations);
  const connected = `Connected to ${nameOf(version)}`;
  if (missing.length === 0) return { status: 'OK', message: textOf([connected, ...notes]) };
  const list = `Missing: ${missing.map(accessText).join('; ')}`;
  return { status: 'Error', message: textOf([connected, list, 'See docs/permissions.md for the Role', ...notes]) };
}

async function missingRights(
  client: KubeClient,
  { rightsToCheck }: CredentialFields,
  operations: readonly OperationDescription[],
): Promise<readonly AccessAttributes[]> {
  const { namespace } = client.target;
  const rights = rightsToCheck
    .flatMap((group) => rightsOfGroup(group, operations))
    .map((right) => rightIn(right, namespace));
  const unique = [...new Map(rights.map((right) => [accessText(right), right])).values()];
  const reviewed = await reviewRights(client, unique);
  return reviewed.filter(({ allowed }) => !allowed).map(({ right }) => right);
}

/** `Kubernetes 1.37 (k3s)` */
function nameOf({ major, minor, gitVersion }: VersionInfo): string {
  const distribution = distributionOf(gitVersion);
  const by = distribution === 'unknown' || distribution === 'custom' ? '' : ` (${distribution})`;
  return `Kubernetes ${String(major)}.${String(minor)}${by}`;
}

function failed(error: unknown): INodeCredentialTestResult {
  const { error: message, description, code } = describeFailure(error);
  const hint = description === undefined ? [] : [description];
  return { status: 'Error', message: textOf([message, ...hint, `Code: ${code}`]) };
}

/** Sentences in one line, because n8n shows no line breaks. */
function textOf(sentences: readonly string[]): string {
  const line = sentences.map((sentence) => sentence.replace(/\s+/g, ' ').trim().replace(/\.$/, '')).join('. ');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}

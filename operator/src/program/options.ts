import { Command, CommanderError } from 'commander';
import { isRegistryHost, registryHost } from '../oci';
import { LOG_LEVELS, type LogLevel } from '../telemetry';
import {
  isNamespaceName,
  isObjectName,
  readList,
  readListenAddress,
  readPath,
  readWhole,
  type ListenAddress,
} from './flagValues';
import type { Place } from './place';
import { UsageError } from './usageError';
import { VERSION } from './version';

/** What the flags say, checked. */
export interface ProgramOptions {
  /** Whose components it runs. */
  readonly namespaces: readonly string[];
  readonly chartsDir: string;
  /** Hosts, with their ports where they have one. */
  readonly registries: readonly string[];
  readonly registryConfig?: string | undefined;
  readonly registryCa?: string | undefined;
  readonly pullSecrets: readonly string[];
  /** Absent: the ServiceAccount of the Pod. */
  readonly cluster?: { readonly kubeconfig: string; readonly apiServer: string } | undefined;
  /** Its namespace is none of `namespaces`. */
  readonly lease: { readonly namespace: string; readonly name: string };
  readonly listen: ListenAddress;
  readonly concurrency: number;
  readonly resyncMs: number;
  readonly logLevel: LogLevel;
}

/** What the command line asks for: to run, or to print something and end. */
export type Request = { readonly run: ProgramOptions } | { readonly print: string };

interface Flags {
  readonly namespaces?: readonly string[];
  readonly chartsDir: string;
  readonly ociRegistries?: readonly string[];
  readonly registryConfig?: string;
  readonly registryCa?: string;
  readonly imagePullSecrets?: readonly string[];
  readonly kubeconfig?: string;
  readonly apiServer?: string;
  readonly leaseNamespace?: string;
  readonly leaseName: string;
  readonly listen?: ListenAddress;
  readonly concurrency: number;
  readonly resync: number;
  readonly logLevel: LogLevel;
}

const EXAMPLES = `
Examples:
  In a cluster, by the ServiceAccount of the Pod (config/manager/manager.yaml):
    navin-platform-operator --namespaces shop,billing --oci-registries ghcr.io

  Outside, by a self-contained kubeconfig that must point to the API server given:
    navin-platform-operator --namespaces shop --lease-namespace navin-system --charts-dir ./charts \\
      --kubeconfig ./operator.kubeconfig --api-server https://203.0.113.7:6443

Environment:
  HELM_BIN                    helm 4.1.4 by its whole path (default: where the image has it)
  NAVIN_PRIVATE_NETWORKS, NAVIN_PRIVATE_NETWORKS_FILE, NAVIN_DEV_API_SERVER
                              outside a cluster: private addresses that may be connected to
  KUBECONFIG, ~/.kube/config and proxies are never used.

It ends with 0 after SIGTERM or SIGINT, with 1 when it failed, with 2 when a flag is wrong.
`;

/**
 * Reads the command line.
 *
 * @param args without the program itself
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], place: Place): Request {
  let printed = '';
  const command = describe(new Command('navin-platform-operator'))
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined, getOutHelpWidth: () => 110 });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { print: printed };
    throw new UsageError(sentenceOf(error.message));
  }
  if (command.args.length > 0)
    throw new UsageError('There is a word that belongs to no flag (--help explains the flags)');
  return { run: checked(command.opts<Flags>(), place) };
}

function describe(command: Command): Command {
  const once = onlyOnce();
  return command
    .description('Runs the components (ManagedComponent) of some namespaces and reports what their workloads show.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print this')
    .allowExcessArguments()
    .option(
      '--namespaces <list>',
      'the namespaces whose components it runs, comma separated (required); that of the lease cannot be one',
      once('--namespaces', (text, flag) =>
        readList(text, { flag, what: 'the name of a namespace', most: 100, isOne: isNamespaceName }),
      ),
    )
    .option(
      '--charts-dir <dir>',
      'the folder with the charts that spec.source.chart.path names',
      once('--charts-dir', readPath),
      '/charts',
    )
    .option(
      '--oci-registries <list>',
      'the registries that spec.source.oci.ref may name, comma separated, with ports where they have one; token servers of other names have to be listed, too, as in docker.io,auth.docker.io (default: none)',
      once('--oci-registries', (text, flag) =>
        readList(text, {
          flag,
          what: 'a host like ghcr.io or registry.example:5000',
          most: 64,
          isOne: isRegistryHost,
          identityOf: (host) => new URL(`https://${registryHost(host)}`).host,
        }),
      ),
    )
    .option(
      '--registry-config <file>',
      'credentials of registries, a docker config.json with auths; each is sent to its host alone',
      once('--registry-config', readPath),
    )
    .option(
      '--registry-ca <file>',
      'CA certificates that registries may have beside the public ones, PEM',
      once('--registry-ca', readPath),
    )
    .option(
      '--image-pull-secrets <list>',
      'Secrets that every chart may use for pulling images, comma separated (default: none)',
      once('--image-pull-secrets', (text, flag) =>
        readList(text, { flag, what: 'the name of a Secret', most: 64, isOne: isObjectName }),
      ),
    )
    .option(
      '--kubeconfig <file>',
      'a self-contained kubeconfig; only together with --api-server (default: the ServiceAccount of the Pod)',
      once('--kubeconfig', readPath),
    )
    .option(
      '--api-server <url>',
      'the API server that the kubeconfig must point to, https://HOST[:PORT]',
      once('--api-server', readPath),
    )
    .option(
      '--lease-namespace <name>',
      'the namespace of the Lease that one of several operators holds (default: that of the Pod; required with --kubeconfig)',
      once('--lease-namespace', nameOf('a namespace', isNamespaceName)),
    )
    .option(
      '--lease-name <name>',
      'the name of the Lease',
      once('--lease-name', nameOf('a Lease', isObjectName)),
      'navin-operator',
    )
    .option(
      '--listen <address:port>',
      'where /healthz, /readyz and /metrics are served; port 0: a free one (default: 0.0.0.0:8080 in a cluster, else 127.0.0.1:8080)',
      once('--listen', readListenAddress),
    )
    .option(
      '--concurrency <n>',
      'components that are worked on at once, 1 to 100',
      once('--concurrency', (text, flag) => readWhole(text, flag, 1, 100)),
      10,
    )
    .option(
      '--resync <minutes>',
      'how often each component is looked at, though nothing was heard of it, 1 to 1440',
      once('--resync', (text, flag) => readWhole(text, flag, 1, 1440)),
      10,
    )
    .option(
      '--log-level <level>',
      `the least of what is logged: ${LOG_LEVELS.join(', ')}`,
      once('--log-level', readLevel),
      'info',
    )
    .addHelpText('after', EXAMPLES);
}

/** Parsers of values for commander. A flag that is given twice is a mistake: the first one would be lost silently. */
function onlyOnce(): <T>(flag: string, read: (text: string, flag: string) => T) => (text: string) => T {
  const given = new Set<string>();
  return (flag, read) => (text) => {
    if (given.has(flag)) throw new UsageError(`${flag} is given twice.`);
    given.add(flag);
    return read(text, flag);
  };
}

function nameOf(what: string, isOne: (text: string) => boolean): (text: string, flag: string) => string {
  return (text, flag) => {
    if (isOne(text)) return text;
    throw new UsageError(`${flag} must be the name of ${what}.`);
  };
}

function readLevel(text: string, flag: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new UsageError(`${flag} must be one of ${LOG_LEVELS.join(', ')}.`);
}

function checked(flags: Flags, place: Place): ProgramOptions {
  const { namespaces, kubeconfig, apiServer } = flags;
  if (namespaces === undefined) {
    throw new UsageError('--namespaces is missing: name the namespaces whose components are to be run.');
  }
  if ((kubeconfig === undefined) !== (apiServer === undefined)) {
    const [given, missing] =
      apiServer === undefined ? ['--kubeconfig', '--api-server'] : ['--api-server', '--kubeconfig'];
    throw new UsageError(`${given} is given without ${missing}: both are needed outside a cluster, none in one.`);
  }
  const cluster = kubeconfig === undefined || apiServer === undefined ? undefined : { kubeconfig, apiServer };
  if (cluster === undefined && !place.inCluster) {
    throw new UsageError(
      'There is no cluster to work in: run it in a Pod with a ServiceAccount, or give --kubeconfig and --api-server.',
    );
  }
  return {
    namespaces,
    chartsDir: flags.chartsDir,
    registries: flags.ociRegistries ?? [],
    registryConfig: flags.registryConfig,
    registryCa: flags.registryCa,
    pullSecrets: flags.imagePullSecrets ?? [],
    cluster,
    lease: {
      namespace: leaseNamespace(flags, namespaces, cluster ? undefined : place.namespace),
      name: flags.leaseName,
    },
    listen: flags.listen ?? { address: place.inCluster ? '0.0.0.0' : '127.0.0.1', port: 8080 },
    concurrency: flags.concurrency,
    resyncMs: flags.resync * 60_000,
    logLevel: flags.logLevel,
  };
}

/** @param own the namespace of the Pod, where the cluster is the one it runs in */
function leaseNamespace(flags: Flags, namespaces: readonly string[], own: string | undefined): string {
  const namespace = flags.leaseNamespace ?? own;
  if (namespace === undefined) {
    throw new UsageError('--lease-namespace is missing: name the namespace that holds the Lease of the operator.');
  }
  if (!namespaces.includes(namespace)) return namespace;
  throw new UsageError(
    '--namespaces must not have the namespace of the Lease (--lease-namespace): the operator has a namespace of its own.',
  );
}

/** What commander says, as one line, without the value of a flag that it does not know. */
function sentenceOf(message: string): string {
  const line = message
    .replace(/^error: /, '')
    .replace(/=[^']*'/, "'")
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return `${line.length > 200 ? `${line.slice(0, 199)}…` : line} (--help explains the flags)`;
}

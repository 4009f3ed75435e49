import { inspect } from 'node:util';
import type { ComponentStatus } from '../../../core/components';
import { KubeClient } from '../../../core/kube';
import { targetFromToken } from '../../../core/kubeconfig';
import { seededRandom } from '../../../core/trigger/testing/random';
import { Operator, type OperatorEvents } from '../../../operator/src/control';
import type { Renderer } from '../../../operator/src/render';
import { createLogger, logEvents, tellAll } from '../../../operator/src/telemetry';
import type { CertificateAuthority } from '../../certificates';
import type { FastClock } from '../proof/fastClock';
import { FaultProxy, type FaultPlan, type Upstream } from '../proxy';
import { Ledger, type Misdeed } from './ledger';
import { ProcessClock } from './processClock';
import type { Change } from './requests';

/** What operators of one story share. */
export interface OperatorStage {
  readonly upstream: Upstream;
  readonly authority: CertificateAuthority;
  readonly token: string;
  readonly renderer: Pick<Renderer, 'render'>;
  readonly namespaces: readonly string[];
  readonly leaseNamespace: string;
  readonly clock: FastClock;
  readonly needles: readonly string[];
  readonly note: (text: string) => void;
  readonly onMisdeed: (misdeed: Misdeed) => void;
  readonly onChange: (change: Change) => void;
}

const LEASE = 'navin-operator';
/** By our clock: shorter than by default, because the time of operators goes faster. */
const REQUEST_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 4_000;
const RESYNC_MS = 120_000;

/** A process that hosts an operator, behind a wire of its own. It can be killed, and nothing of it is left then. */
export class OperatorProcess {
  readonly ledger: Ledger;
  readonly clock: ProcessClock;
  /** Components that it has looked at. */
  readonly passed = new Set<string>();
  /** What it said otherwise in a status, but for the numbers of workloads, which change by themselves. */
  readonly said: string[] = [];
  isAlive = true;
  isLeading = false;
  private readonly operator: Operator;
  private readonly client: KubeClient;
  private readonly proxy: FaultProxy;

  private constructor(
    readonly name: string,
    stage: OperatorStage,
    wire: { readonly proxy: FaultProxy; readonly ledger: Ledger; readonly clock: ProcessClock },
    seed: number,
  ) {
    const { proxy, ledger, clock } = wire;
    const { token, namespaces, leaseNamespace, renderer } = stage;
    this.proxy = proxy;
    this.ledger = ledger;
    this.clock = clock;
    const devApiServer = { address: '127.0.0.1', port: proxy.port };
    const { target } = targetFromToken({ server: proxy.url, ca: proxy.ca, token, namespace: 'default', devApiServer });
    const random = seededRandom(seed);
    this.client = new KubeClient({
      target,
      egress: { grants: [], devApiServer },
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      compress: false,
      sleep: (ms, signal) => clock.sleep(ms, signal),
      random,
    });
    watchChanges(this.client, ledger);
    this.operator = new Operator({
      ...{ client: this.client, namespaces, renderer, clock, random },
      lease: { namespace: leaseNamespace, name: LEASE, holder: name },
      resyncMs: RESYNC_MS,
      events: this.events(stage),
    });
  }

  static async start(
    name: string,
    stage: OperatorStage,
    { plan, seed, onDoom }: { readonly plan: FaultPlan; readonly seed: number; readonly onDoom: () => void },
  ): Promise<OperatorProcess> {
    const clock = new ProcessClock(stage.clock);
    let died = (): void => undefined;
    const ledger = new Ledger({
      ...{ name, clock, needles: stage.needles, onMisdeed: stage.onMisdeed },
      onChange: (change) => {
        stage.note(`${name} did ${change.kind} of ${change.object}`);
        stage.onChange(change);
      },
      onDoom: () => {
        died();
      },
    });
    const proxy = await FaultProxy.start({
      ...{ upstream: stage.upstream, authority: stage.authority, plan, guard: ledger, speed: stage.clock.speed },
      listener: {
        note: (text) => {
          stage.note(`${name}: ${text}`);
        },
      },
    });
    const started = new OperatorProcess(name, stage, { proxy, ledger, clock }, seed);
    died = (): void => {
      started.kill();
      onDoom();
    };
    stage.note(`${name} starts`);
    started.operator.start();
    return started;
  }

  get faults(): ReadonlyMap<string, number> {
    return this.proxy.faults;
  }

  /** No more faults. */
  calm(): void {
    this.proxy.calm();
    this.ledger.doom = undefined;
  }

  /** kill -9. */
  kill(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.isLeading = false;
    this.proxy.die();
    this.client.close();
    void this.end();
  }

  /** Ends as it does when it is told to. */
  async leave(): Promise<void> {
    if (!this.isAlive) return;
    await this.operator.stop(1_000);
    this.isAlive = false;
    this.isLeading = false;
    this.client.close();
    await this.proxy.stop();
  }

  private async end(): Promise<void> {
    await this.operator.stop(0);
    await this.proxy.stop();
  }

  private events({ note, needles, onMisdeed }: OperatorStage): OperatorEvents {
    const { name } = this;
    const hold = (text: string): void => {
      const needle = needles.findIndex((each) => text.includes(each));
      if (needle >= 0) onMisdeed({ rule: 'secret', what: `${name} logs the secret ${needle}: ${text.slice(0, 500)}` });
    };
    const log = createLogger('trace', {
      write: (line) => {
        hold(line);
        const { msg, time, level, ...rest } = JSON.parse(line) as Record<string, unknown>;
        void [time, level];
        if (msg !== 'A component was looked at.') note(`${name} logs: ${String(msg)} ${JSON.stringify(rest)}`);
      },
    });
    const held: OperatorEvents = {
      onLeading: () => {
        this.isLeading = true;
      },
      onFollowing: () => {
        this.isLeading = false;
      },
      onStatus: ({ metadata, status = {} }, before = {}) => {
        const fields = new Set([...Object.keys(before), ...Object.keys(status)]) as ReadonlySet<keyof ComponentStatus>;
        const changed = [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(status[field]));
        if (changed.some((field) => field !== 'workloads'))
          this.said.push(`${metadata.name ?? ''}: ${changed.join(', ')}`);
        const details = changed.includes('inventory') ? entriesChanged(before, status) : '';
        note(`${name} says otherwise of ${metadata.name ?? ''}: ${changed.join(', ')}${details}`);
      },
      onPass: ({ component, succeeded }) => {
        if (succeeded) this.passed.add(component);
      },
      // What a log leaves out may not hold a secret either.
      onPassFailed: ({ error }) => {
        hold(inspect(error, { depth: 8 }));
      },
      onWatchFault: ({ error }) => {
        hold(inspect(error, { depth: 8 }));
      },
      onLeaseFault: (error) => {
        hold(inspect(error, { depth: 8 }));
      },
    };
    return tellAll([logEvents(log, this.clock), held], (error) => {
      throw error;
    });
  }
}

/** Tells a ledger of changes at the moment at which the operator decides to ask for them. */
function watchChanges(client: KubeClient, ledger: Ledger): void {
  const [patch, replace, remove] = [client.patch.bind(client), client.replace.bind(client), client.delete.bind(client)];
  client.patch = (resource, ref, body, options) => {
    if (options?.dryRun !== true) ledger.acts(`${resource.plural}/${ref.name}`);
    return patch(resource, ref, body, options);
  };
  client.replace = (resource, ref, body, options) => {
    if (resource.plural !== 'leases') ledger.acts(`${resource.plural}/${ref.name}`);
    return replace(resource, ref, body, options);
  };
  client.delete = (resource, ref, options) => {
    ledger.acts(`${resource.plural}/${ref.name}`);
    return remove(resource, ref, options);
  };
}

/** Which entries of an inventory changed, and how. */
function entriesChanged(
  { inventory: before = [] }: ComponentStatus,
  { inventory: after = [] }: ComponentStatus,
): string {
  const known = new Map(before.map((entry) => [`${entry.kind}/${entry.name}`, JSON.stringify(entry)]));
  const changed = after.filter((entry) => known.get(`${entry.kind}/${entry.name}`) !== JSON.stringify(entry));
  return ` (${changed.map(({ kind, name, digest = 'none', fields = 'none' }) => `${kind}/${name} ${digest.slice(0, 8)} ${fields.slice(0, 8)}`).join(', ')})`;
}

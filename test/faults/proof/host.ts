import { KubeClient } from '../../../core/kube';
import { targetFromToken } from '../../../core/kubeconfig';
import {
  checkSettings,
  kubeClusterPort,
  TriggerEngine,
  TriggerRegistry,
  type CheckedSettings,
  type HandoverPort,
  type Note,
} from '../../../core/trigger';
import { N8nModel } from '../../../core/trigger/testing/n8nModel';
import type { FastClock } from './fastClock';
import type { GapLedger } from './gapLedger';
import { KINDS, PICK_LABEL } from './kinds';
import type { Setting } from './story';

/** What a host runs with. */
export interface HostOptions {
  readonly setting: Setting;
  readonly namespaces: readonly string[];
  /** Value of the label that the selector wants. */
  readonly picked: string;
  readonly gaps: GapLedger;
  /** The proxy. */
  readonly server: { readonly url: string; readonly ca: string; readonly port: number };
  readonly token: string;
  readonly clock: FastClock;
  readonly random: () => number;
  readonly note: (text: string) => void;
  /** The connections of a process end with it. */
  readonly onKill: () => void;
}

type Connection = ReturnType<N8nModel['connect']>;

const OWNER = { workflowId: 'workflow', nodeId: 'node' };
const INTERVAL_MS = 15_000;
/** Of the client, by our clock: shorter than by default, but a busy machine must not make every request fail. */
const REQUEST_TIMEOUT_MS = 4000;
const IDLE_TIMEOUT_MS = 3000;

/** A process that hosts the node: a model of n8n, and the real trigger with the real client in it. It can be killed. */
export class Host {
  readonly n8n: N8nModel;
  /** The version of the first list, by scope: what came later must be told. */
  readonly began = new Map<string, number>();
  readonly settings: CheckedSettings;
  private registry = new TriggerRegistry();
  private connection: Connection | undefined;
  private activating: Promise<void> = Promise.resolve();
  private engine: TriggerEngine | undefined;
  private client: KubeClient | undefined;
  private trap: { writes: number; readonly sprung: () => void } | undefined;

  constructor(private readonly options: HostOptions) {
    const { clock, random } = options;
    this.settings = checkSettings(settingsOf(options));
    this.n8n = new N8nModel(clock, random);
    this.n8n.onState = (state) => {
      for (const [scope, cursor] of state.p) {
        if (cursor !== '' && !this.began.has(scope)) this.began.set(scope, Number(cursor));
      }
    };
    this.n8n.onWrite = (what) => {
      this.wrote(what);
    };
  }

  /** n8n starts. Returns when the workflow is active, or the process is gone again. */
  async start(): Promise<void> {
    if (this.connection) return;
    this.connection = this.n8n.connect();
    await this.activate(this.connection);
  }

  /** The workflow is deactivated and activated again; the process goes on. */
  async reactivate(): Promise<void> {
    const { connection } = this;
    await this.activating;
    if (!connection || this.connection !== connection) return;
    this.options.note('deactivated');
    await this.engine?.stop();
    this.client?.close();
    if (this.connection === connection) await this.activate(connection);
  }

  /** kill -9: nothing that was under way goes on, nothing in memory is left. */
  kill(): void {
    if (!this.connection) return;
    this.options.note('killed');
    this.options.onKill();
    this.trap = undefined;
    this.connection.kill();
    this.connection = undefined;
    void this.engine?.stop();
    this.client?.close();
    this.engine = undefined;
    this.registry = new TriggerRegistry();
    this.options.gaps.forget();
  }

  private async activate(connection: Connection): Promise<void> {
    this.activating = this.tryToActivate(connection);
    await this.activating;
  }

  /** Until it works, as a user would. */
  private async tryToActivate(connection: Connection): Promise<void> {
    const { clock, note } = this.options;
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      this.engine = this.newEngine(connection);
      try {
        await this.engine.start();
        if (!this.isOn(connection)) return;
        note(`activated; the stored cursors are ${cursors(this.n8n.saved)}`);
        connection.saveNow();
        return;
      } catch (error) {
        if (!this.isOn(connection)) return;
        note(`activation fails: ${error instanceof Error ? error.message : String(error)}`);
        await clock.sleep(2000);
        if (!this.isOn(connection)) return;
      }
    }
    throw new Error('The trigger could not be activated.');
  }

  private isOn(connection: Connection): boolean {
    return this.connection === connection;
  }

  /** Kills the process right after the n-th thing it writes from now on. @param sprung called then */
  killAfter(writes: number, sprung: () => void): void {
    this.trap = { writes, sprung };
  }

  private wrote(what: 'row' | 'state'): void {
    this.options.note(what === 'row' ? 'n8n makes a row' : `n8n saves a state with cursors ${cursors(this.n8n.saved)}`);
    const { trap } = this;
    if (!trap) return;
    trap.writes -= 1;
    if (trap.writes > 0) return;
    this.kill();
    trap.sprung();
  }

  private newEngine(connection: Connection): TriggerEngine {
    const { setting, clock, random, note } = this.options;
    const { settings } = this;
    this.client = this.newClient();
    return new TriggerEngine({
      owner: OWNER,
      settings,
      cluster: kubeClusterPort(this.client, settings),
      handover: this.traced(connection),
      stored: this.n8n.saved,
      intervalMs: INTERVAL_MS,
      windowSeconds: setting.windowSeconds,
      clock,
      random,
      registry: this.registry,
      onNote: (told) => {
        if (this.connection === connection) this.told(told);
      },
      onFault: ({ code, scope }) => {
        note(`lasting fault ${code} of ${scope}`);
      },
    });
  }

  private newClient(): KubeClient {
    const { server, token, clock, random } = this.options;
    const devApiServer = { address: '127.0.0.1', port: server.port };
    const { target } = targetFromToken({
      server: server.url,
      ca: server.ca,
      token,
      namespace: 'default',
      devApiServer,
    });
    return new KubeClient({
      target,
      egress: { grants: [], devApiServer },
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      sleep: (ms, signal) => clock.sleep(ms, signal),
      random,
    });
  }

  private told(told: Note): void {
    this.options.note(
      `note ${told.kind}${'cause' in told ? ` ${told.cause} ${told.from} to ${told.to} ${told.scope}` : ''}`,
    );
    if (told.kind !== 'gap') return;
    const { scope, from, to, cause } = told;
    this.options.gaps.report({ scope, from: Number(from), to: Number(to), cause });
  }

  private traced(connection: Connection): HandoverPort {
    const { note } = this.options;
    return {
      ...connection,
      emit: async (key, events, state) => {
        const about = events.map(({ type, identity, gap }) => `${type} ${identity}${gap ? ' (gap)' : ''}`).join(', ');
        note(`emits ${about}`);
        const outcome = await connection.emit(key, events, state);
        if (outcome !== 'created') note(`n8n: ${outcome} ${about}`);
        return outcome;
      },
    };
  }
}

function settingsOf({ setting, namespaces, picked }: HostOptions): Parameters<typeof checkSettings>[0] {
  const { kind, reach, selective, types, modifiedWhen, tracked, emitExisting } = setting;
  return {
    resource: KINDS[kind].resource,
    namespaces: reach === 'cluster' ? [] : namespaces,
    ...(selective ? { labelSelector: `${PICK_LABEL}=${picked}` } : {}),
    watch: {
      kind: 'changes',
      types,
      modifiedWhen,
      ...(modifiedWhen === 'fields' ? { fields: [KINDS[kind].field] } : {}),
    },
    tracked,
    emitExisting,
  };
}

function cursors(state: N8nModel['saved']): string {
  return state === undefined
    ? 'none'
    : state.p.map(([, cursor, cause]) => `${cursor}${cause === '' ? '' : ` (${cause})`}`).join(', ');
}

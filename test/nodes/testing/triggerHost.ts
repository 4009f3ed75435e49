import { EventEmitter, once } from 'node:events';
import {
  type ICredentialDataDecryptedObject,
  type IDataObject,
  type ILoadOptionsFunctions,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type IRun,
  type ITriggerFunctions,
  type ITriggerResponse,
  type IWorkflowSettings,
  NodeHelpers,
} from 'n8n-workflow';
import { KubernetesTrigger } from '../../../nodes/KubernetesTrigger/KubernetesTrigger.node';
import { deferred } from '../../cluster/deferred';

/** A trigger as a test wants it. */
export interface TriggerSetup {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credential: ICredentialDataDecryptedObject | (() => ICredentialDataDecryptedObject);
  readonly nodeId?: string;
  readonly nodeName?: string;
}

/** An execution the host started. */
export interface Started {
  readonly key: string | undefined;
  readonly items: readonly IDataObject[];
}

/** What a host is. */
export interface HostOptions {
  readonly workflowId?: string;
  /** What n8n has saved of the workflow: the JSON of its static data. */
  readonly saved?: string;
  /** Keys that have rows in the database. */
  readonly rows?: ReadonlySet<string>;
  readonly settings?: IWorkflowSettings;
}

/** The promise n8n settles when an execution is over. */
type Done = Parameters<ITriggerFunctions['emit']>[2];

let workflows = 0;

/**
 * n8n as a trigger sees it: static data that are saved some microtasks after an emit, as they stand then; keys that drop
 * a second execution and settle its promise with nothing; a save at the end of the activation. A new host with what an
 * old one saved is a restart (in another workflow: the registry of the process would know it).
 */
export class TriggerHost {
  readonly executions: Started[] = [];
  readonly failures: Error[] = [];
  readonly logged: string[] = [];
  readonly workflowId: string;
  readonly rows: Set<string>;
  /** The static data in memory: what a Code node would see. */
  readonly data: IDataObject;
  saved: string;
  private readonly happened = new EventEmitter();
  private readonly settings: IWorkflowSettings;

  constructor({ workflowId, saved = '{}', rows = new Set(), settings = {} }: HostOptions = {}) {
    workflows += 1;
    this.workflowId = workflowId ?? `workflow-${String(process.pid)}-${String(workflows)}`;
    this.saved = saved;
    this.data = JSON.parse(saved) as IDataObject;
    this.rows = new Set(rows);
    this.settings = settings;
  }

  /** Activates a trigger as publishing does. */
  async activate(setup: TriggerSetup): Promise<ITriggerResponse> {
    const response = await new KubernetesTrigger().trigger.call(this.context(setup, 'trigger'));
    this.saved = JSON.stringify(this.data);
    return response;
  }

  /** What the editor's button gives. */
  async sample(setup: TriggerSetup): Promise<readonly IDataObject[]> {
    const context = this.context(setup, 'manual');
    const { manualTriggerFunction } = await new KubernetesTrigger().trigger.call(context);
    const emitted: IDataObject[] = [];
    context.emit = ([items = []]) => {
      emitted.push(...items.map(({ json }) => json));
    };
    await manualTriggerFunction?.();
    return emitted;
  }

  /** Waits until so many executions were started. */
  async until(count: number): Promise<readonly Started[]> {
    while (this.executions.length < count) await once(this.happened, 'execution');
    return this.executions;
  }

  /** Waits for a failed execution. */
  async untilFailure(): Promise<Error> {
    for (;;) {
      const [failure] = this.failures;
      if (failure !== undefined) return failure;
      await once(this.happened, 'failure');
    }
  }

  context(setup: TriggerSetup, mode: 'trigger' | 'manual'): ITriggerFunctions {
    const node = triggerNode(setup);
    const emit = (
      [items = []]: INodeExecutionData[][],
      _response: unknown,
      done: Done,
      key: string | undefined,
    ): void => {
      if (mode === 'manual') throw new Error('emit within trigger() of a manual run');
      void this.run(items, done, key);
    };
    const context = {
      emit,
      emitError: () => {
        throw new Error('emitError would take the trigger down');
      },
      saveFailedExecution: (error: Error) => {
        this.failures.push(error);
        this.happened.emit('failure');
      },
      getMode: () => mode,
      getActivationMode: () => 'activate',
      getNode: () => structuredClone(node),
      getWorkflow: () => ({ id: this.workflowId, name: 'Test', active: true }),
      getWorkflowSettings: () => this.settings,
      getWorkflowStaticData: () => this.data,
      getNodeParameter: (name: string, fallback?: unknown) => {
        const value = node.parameters[name] ?? fallback;
        if (value === undefined) throw new Error(`Could not get parameter ${name}`);
        return value;
      },
      getCredentials: async () =>
        await Promise.resolve(typeof setup.credential === 'function' ? setup.credential() : setup.credential),
      helpers: { createDeferredPromise: deferred },
      logger: Object.fromEntries(
        ['info', 'warn', 'error', 'debug'].map((level) => [
          level,
          (message: string) => this.logged.push(`${level} ${message}`),
        ]),
      ),
    };
    return context as unknown as ITriggerFunctions;
  }

  private async run(items: readonly INodeExecutionData[], done: Done, key: string | undefined): Promise<void> {
    // As n8n: the workflow is read from the database first, so that what is saved is what stands there by then.
    await Promise.resolve();
    await Promise.resolve();
    this.saved = JSON.stringify(this.data);
    const known = key !== undefined && this.rows.has(key);
    if (!known) {
      if (key !== undefined) this.rows.add(key);
      this.executions.push({ key, items: items.map(({ json }) => json) });
      this.happened.emit('execution');
    }
    setImmediate(() => {
      done?.resolve((known ? undefined : { status: 'success' }) as IRun);
    });
  }
}

/** What this process remembers of its triggers is gone: what a new process of n8n begins with. */
export function forgetProcess(): void {
  Reflect.deleteProperty(globalThis, Symbol.for('@navin/n8n-nodes-kubernetes/triggers/1'));
}

/** The node as a workflow holds it, with the defaults n8n fills in. */
export function triggerNode({ parameters, nodeId = 'node-1', nodeName = 'When it happens' }: TriggerSetup): INode {
  const { description } = new KubernetesTrigger();
  const node: INode = {
    id: nodeId,
    name: nodeName,
    type: '@navin/n8n-nodes-kubernetes.kubernetesTrigger',
    typeVersion: 1,
    position: [0, 0],
    parameters: parameters as INodeParameters,
    credentials: { navinKubernetesApi: { id: 'cred-1', name: 'Test cluster' } },
  };
  const filled = NodeHelpers.getNodeParameters(description.properties, node.parameters, true, false, node, description);
  return { ...node, parameters: filled ?? {} };
}

/** A context as n8n gives one to a list search in the editor. */
export function triggerEditor(credential: ICredentialDataDecryptedObject): ILoadOptionsFunctions {
  const context = {
    getNode: () => triggerNode({ parameters: {}, credential }),
    getCredentials: async () => await Promise.resolve(credential),
    getCurrentNodeParameter: () => undefined,
    helpers: {},
    logger: { warn: () => undefined },
  };
  return context as unknown as ILoadOptionsFunctions;
}

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { REASONS, type ManagedComponent } from '../../../core/components';
import { ERROR_CODES } from '../../../core/errors';
import type { OperatorEvents, OperatorHealth } from '../control';
import { shownError } from './shownError';

/** A dimension of the status of components, and what it may say. */
interface Dimension {
  /** Of its label; the metric is `navin_operator_components_by_<name>`. */
  readonly name: string;
  readonly values: readonly string[];
  readonly valueOf: (component: ManagedComponent) => string | boolean | undefined;
}

const UNKNOWN = 'unknown';

const DIMENSIONS: readonly Dimension[] = [
  {
    name: 'state',
    values: ['installing', 'starting', 'started', 'stopping', 'stopped', 'failed', 'uninstalling'],
    valueOf: ({ status }) => status?.state,
  },
  { name: 'health', values: ['ok', 'warning', 'critical'], valueOf: ({ status }) => status?.health },
  {
    name: 'operation_state',
    values: ['idle', 'running', 'succeeded', 'failed', 'blocked'],
    valueOf: ({ status }) => status?.operationState,
  },
  {
    name: 'security_state',
    values: ['compliant', 'non_compliant'],
    valueOf: ({ status }) => status?.securityState,
  },
  { name: 'converged', values: ['true', 'false'], valueOf: ({ status }) => status?.converged },
];

/** The most kinds that watch faults are counted by. */
const MAX_KINDS = 32;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Numbers of an operator for Prometheus. Labels have few values that are known beforehand; what is not known counts as
 * `other` or `unknown`, and nothing is counted by the name of a component.
 */
export class Metrics {
  private readonly registry = new Registry();
  private readonly kinds = new Set<string>();
  private readonly counted = counters(this.registry);
  private readonly timed = histograms(this.registry);
  private readonly gauges = gaugesOf(this.registry);

  /** @param health how the operator is doing, asked at each scrape */
  constructor(
    version: string,
    private readonly health: () => OperatorHealth,
  ) {
    collectDefaultMetrics({ register: this.registry });
    this.gauges.info.set({ version }, 1);
  }

  /** What the operator tells, counted. */
  readonly events: OperatorEvents = {
    onFollowing: (end) => {
      this.counted.terms.inc({ end });
    },
    onLeaseFault: (error) => {
      this.counted.leaseFaults.inc({ code: codeOf(error) });
    },
    onWatchFault: ({ kind, error }) => {
      this.counted.watchFaults.inc({ kind: this.kindOf(kind), code: codeOf(error) });
    },
    onPass: ({ tookMs, succeeded }) => {
      const result = succeeded ? 'succeeded' : 'failed';
      this.counted.passes.inc({ result });
      this.timed.pass.observe({ result }, tookMs / 1000);
    },
    onPassFailed: ({ error }) => {
      this.counted.passFailures.inc({ code: codeOf(error) });
    },
    onWaited: (waitedMs) => {
      this.timed.wait.observe(waitedMs / 1000);
    },
    onStep: ({ step, outcome, reason, tookMs }) => {
      this.counted.steps.inc({ step, outcome });
      if (step !== 'render') return;
      this.timed.render.observe(tookMs / 1000);
      this.counted.renders.inc({ outcome, reason: reasonOf(reason) });
    },
    onStatus: () => {
      this.counted.statusWrites.inc();
    },
    onGone: () => {
      this.counted.gone.inc();
    },
  };

  get contentType(): string {
    return this.registry.contentType;
  }

  /** What a scrape gets. */
  async text(): Promise<string> {
    const { leading, synced, queue, components } = this.health();
    this.gauges.leading.set(leading ? 1 : 0);
    this.gauges.synced.set(synced ? 1 : 0);
    for (const [state, gauge] of Object.entries(this.gauges.queue)) gauge.set(queue[state as keyof typeof queue]);
    this.gauges.components.set(components.length);
    for (const { dimension, gauge } of this.gauges.dimensions) {
      for (const [value, count] of countsOf(components, dimension)) gauge.set({ [dimension.name]: value }, count);
    }
    return this.registry.metrics();
  }

  private kindOf(kind: string): string {
    if (this.kinds.size < MAX_KINDS) this.kinds.add(kind);
    return this.kinds.has(kind) ? kind : 'other';
  }
}

function counters(registry: Registry) {
  const counter = <T extends string = never>(name: string, help: string, labelNames: readonly T[] = []): Counter<T> =>
    new Counter({ name: `navin_operator_${name}`, help, labelNames, registers: [registry] });
  return {
    passes: counter('passes_total', 'Looks at a component, each with what was to do.', ['result']),
    passFailures: counter('pass_failures_total', 'Looks that failed and are tried again.', ['code']),
    steps: counter('steps_total', 'Steps that were carried out, or were not.', ['step', 'outcome']),
    renders: counter('renders_total', 'Charts that were rendered, or were not.', ['outcome', 'reason']),
    statusWrites: counter('status_writes_total', 'Statuses of components that were written.'),
    gone: counter('components_gone_total', 'Components that were removed.'),
    terms: counter('lease_terms_ended_total', 'Times the lease was held and given up or lost.', ['end']),
    leaseFaults: counter('lease_faults_total', 'Reads and writes of the lease that failed.', ['code']),
    watchFaults: counter('watch_faults_total', 'Lists and watches that failed.', ['kind', 'code']),
  };
}

function histograms(registry: Registry) {
  const histogram = <T extends string = never>(
    name: string,
    help: string,
    labelNames: readonly T[] = [],
  ): Histogram<T> =>
    new Histogram({
      name: `navin_operator_${name}_seconds`,
      help,
      labelNames,
      buckets: SECONDS,
      registers: [registry],
    });
  return {
    pass: histogram('pass_duration', 'How long a look at a component took, with what was to do.', ['result']),
    wait: histogram('queue_wait', 'How long a component waited for its turn.'),
    render: histogram('render_duration', 'How long rendering took, from memory or by helm.'),
  };
}

function gaugesOf(registry: Registry) {
  const gauge = <T extends string = never>(name: string, help: string, labelNames: readonly T[] = []): Gauge<T> =>
    new Gauge({ name: `navin_operator_${name}`, help, labelNames, registers: [registry] });
  return {
    info: gauge('info', 'The program.', ['version']),
    leading: gauge('leading', '1: it holds the lease and acts.'),
    synced: gauge('synced', '1: it knows everything in its namespaces.'),
    queue: {
      depth: gauge('queue_depth', 'Components whose turn it is.'),
      active: gauge('queue_active', 'Components that are worked on.'),
      delayed: gauge('queue_delayed', 'Components that are looked at later.'),
      failing: gauge('queue_failing', 'Components whose last look failed.'),
    },
    components: gauge('components', 'Components that are known.'),
    dimensions: DIMENSIONS.map((dimension) => ({
      dimension,
      gauge: gauge(`components_by_${dimension.name}`, `Components by what their status says of ${dimension.name}.`, [
        dimension.name,
      ]),
    })),
  };
}

/** Every value is there, also with 0: what is no longer true must not stay. */
function countsOf(components: readonly ManagedComponent[], { values, valueOf }: Dimension): Map<string, number> {
  const counts = new Map([...values, UNKNOWN].map((value) => [value, 0]));
  for (const component of components) {
    const told = String(valueOf(component));
    const value = counts.has(told) ? told : UNKNOWN;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function codeOf(error: unknown): string {
  const { code } = shownError(error);
  return code in ERROR_CODES || code in REASONS ? code : 'other';
}

function reasonOf(reason: string | undefined): string {
  if (reason === undefined) return '';
  return reason in REASONS ? reason : 'other';
}

import { describe, expect, it } from '@jest/globals';
import type { ComponentStatus, ManagedComponent } from '../../../core/components';
import { NavinError } from '../../../core/errors';
import { renderFailed } from '../charts';
import type { OperatorHealth } from '../control';
import { Metrics } from './metrics';

const QUEUE = { depth: 1, active: 2, delayed: 3, failing: 4, oldestActiveMs: 0 };

function component(status: ComponentStatus): ManagedComponent {
  return { metadata: { namespace: 'shop', name: 'web' }, status } as unknown as ManagedComponent;
}

function metricsOf(health: Partial<OperatorHealth> = {}): Metrics {
  return new Metrics('1.2.3', () => ({
    synced: true,
    leading: false,
    missing: [],
    components: [],
    queue: QUEUE,
    ...health,
  }));
}

/** The lines of some metrics that are not 0. */
async function scrape(metrics: Metrics, name: RegExp): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => name.test(line) && !line.endsWith(' 0'));
}

describe('a scrape', () => {
  it('has how the operator is doing now', async () => {
    expect(await scrape(metricsOf(), /^navin_operator_(info|leading|synced|queue_[a-z]+)[ {](?!.*bucket)/)).toEqual([
      'navin_operator_info{version="1.2.3"} 1',
      'navin_operator_synced 1',
      'navin_operator_queue_depth 1',
      'navin_operator_queue_active 2',
      'navin_operator_queue_delayed 3',
      'navin_operator_queue_failing 4',
    ]);
  });

  it('counts components by what their status says, and none twice', async () => {
    let components = [
      component({ state: 'started', health: 'ok', operationState: 'succeeded', converged: true }),
      component({ state: 'started', health: 'critical', operationState: 'blocked', converged: false }),
      component({ state: 'odd"} 1\n' as 'started' }),
    ];
    const metrics = new Metrics('1', () => ({ synced: true, leading: true, missing: [], components, queue: QUEUE }));
    expect(await scrape(metrics, /^navin_operator_components/)).toEqual([
      'navin_operator_components 3',
      'navin_operator_components_by_state{state="started"} 2',
      'navin_operator_components_by_state{state="unknown"} 1',
      'navin_operator_components_by_health{health="ok"} 1',
      'navin_operator_components_by_health{health="critical"} 1',
      'navin_operator_components_by_health{health="unknown"} 1',
      'navin_operator_components_by_operation_state{operation_state="succeeded"} 1',
      'navin_operator_components_by_operation_state{operation_state="blocked"} 1',
      'navin_operator_components_by_operation_state{operation_state="unknown"} 1',
      'navin_operator_components_by_security_state{security_state="unknown"} 3',
      'navin_operator_components_by_converged{converged="true"} 1',
      'navin_operator_components_by_converged{converged="false"} 1',
      'navin_operator_components_by_converged{converged="unknown"} 1',
    ]);
    components = [];
    expect(await scrape(metrics, /^navin_operator_components/)).toEqual([]);
  });

  it('counts what happened, by labels that are known beforehand', async () => {
    const metrics = metricsOf();
    const { events } = metrics;
    events.onFollowing?.('expired');
    events.onPass?.({ component: 'shop/web', tookMs: 20, succeeded: true });
    events.onPass?.({ component: 'shop/web', tookMs: 20, succeeded: false });
    const pass = { component: 'shop/web', failures: 1, pauseMs: 1 };
    events.onPassFailed?.({ ...pass, error: new NavinError('k8s_conflict', 'x') });
    events.onPassFailed?.({ ...pass, error: renderFailed('x') });
    events.onPassFailed?.({ ...pass, error: Object.assign(new Error('x'), { name: 'Surprise' }) });
    events.onWaited?.(1_500);
    const step = { component: 'shop/web', object: 'Deployment/web', tookMs: 30 };
    events.onStep?.({ ...step, step: 'apply', outcome: 'done' });
    events.onStep?.({ ...step, step: 'render', outcome: 'done' });
    events.onStep?.({ ...step, step: 'render', outcome: 'refused', reason: 'NondeterministicChart' });
    events.onStep?.({ ...step, step: 'render', outcome: 'refused', reason: 'web-1234' });
    events.onStatus?.(component({}), undefined);
    expect(await scrape(metrics, /^navin_operator_\w+(_total|_count|_sum)/)).toEqual([
      'navin_operator_passes_total{result="succeeded"} 1',
      'navin_operator_passes_total{result="failed"} 1',
      'navin_operator_pass_failures_total{code="k8s_conflict"} 1',
      'navin_operator_pass_failures_total{code="RenderFailed"} 1',
      'navin_operator_pass_failures_total{code="other"} 1',
      'navin_operator_steps_total{step="apply",outcome="done"} 1',
      'navin_operator_steps_total{step="render",outcome="done"} 1',
      'navin_operator_steps_total{step="render",outcome="refused"} 2',
      'navin_operator_renders_total{outcome="done",reason=""} 1',
      'navin_operator_renders_total{outcome="refused",reason="NondeterministicChart"} 1',
      'navin_operator_renders_total{outcome="refused",reason="other"} 1',
      'navin_operator_status_writes_total 1',
      'navin_operator_lease_terms_ended_total{end="expired"} 1',
      'navin_operator_pass_duration_seconds_sum{result="succeeded"} 0.02',
      'navin_operator_pass_duration_seconds_count{result="succeeded"} 1',
      'navin_operator_pass_duration_seconds_sum{result="failed"} 0.02',
      'navin_operator_pass_duration_seconds_count{result="failed"} 1',
      'navin_operator_queue_wait_seconds_sum 1.5',
      'navin_operator_queue_wait_seconds_count 1',
      'navin_operator_render_duration_seconds_sum 0.09',
      'navin_operator_render_duration_seconds_count 3',
    ]);
    expect(await metrics.text()).not.toContain('web');
  });

  it('does not grow with what is told', async () => {
    const metrics = metricsOf();
    for (let index = 0; index < 1_000; index += 1) {
      metrics.events.onWatchFault?.({ kind: `kind-${index}`, namespace: `n${index}`, error: index, pauseMs: 1 });
    }
    const lines = await scrape(metrics, /^navin_operator_watch_faults_total/);
    expect(lines).toHaveLength(33);
    expect(lines.at(-1)).toBe('navin_operator_watch_faults_total{kind="other",code="other"} 968');
  });
});

import type { Because, Reason } from '../../../core/components';

/**
 * A chart that cannot be had or rendered. The message may be shown to anybody: it holds names that were checked, and
 * nothing that a registry, a chart or helm said.
 */
export class ChartError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ChartError';
  }

  /** What stands in the status of the component. */
  get because(): Because {
    return { reason: this.reason, message: this.message };
  }
}

/** The chart cannot be rendered. */
export function renderFailed(message: string, options?: ErrorOptions): ChartError {
  return new ChartError('RenderFailed', message, options);
}

/** A name that a chart gave, cut and without what could break a line or a terminal. */
export function shownName(name: string): string {
  const text = name.replace(/[^\w.:/@-]/g, '?');
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

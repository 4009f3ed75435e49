import type { Because, Reason } from '../reasons';

/** Why what a chart renders is not allowed, and where. */
export interface Violation extends Because {
  /** For instance `Deployment/web`. */
  readonly object?: string;
  /** For instance `spec.template.spec.containers[0].securityContext.privileged`. */
  readonly path?: string;
}

/** What is wrong with an object, at a place of it. Names are shown, values never. */
export type Finding = Omit<Violation, 'object'>;

export function finding(reason: Reason, message: string, path?: string): Finding {
  return { reason, message, ...(path === undefined ? {} : { path }) };
}

/** A name that a chart gave, cut and without what could break a line or a terminal. */
export function shown(name: unknown): string {
  return typeof name === 'string' ? name.replace(/[^\w.:/-]/g, '?').slice(0, 100) : '?';
}

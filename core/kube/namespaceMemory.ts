import { RESOURCES } from './apiResource';
import { KubeApiError } from './errors';
import { readObjectRequest } from './reads';
import type { Requester } from './requester';
import { quoted } from './subject';

/** How long an answer about a namespace holds, in ms. */
const TTL_MS = 30_000;
const MAX_REMEMBERED = 100;

interface Answer {
  readonly at: number;
  readonly missing: Promise<boolean>;
}

/**
 * Tells a missing object from a missing namespace: the API server says the same of both. It asks once for the namespace,
 * which the credential may not be allowed to see; then the object counts as what is missing.
 */
export class NamespaceMemory {
  private readonly answers = new Map<string, Answer>();

  constructor(
    private readonly requester: Requester,
    private readonly now: () => number,
  ) {}

  /** The error to raise in place of `error`: itself, or that the namespace does not exist. */
  async explain(error: unknown, namespace: string | undefined): Promise<unknown> {
    if (namespace === undefined || !(error instanceof KubeApiError)) return error;
    if (error.code !== 'k8s_not_found' || error.details.missing !== 'object') return error;
    if (!(await this.isMissing(namespace))) return error;
    return new KubeApiError('k8s_not_found', `The namespace ${quoted(namespace)} does not exist.`, {
      httpStatus: error.httpStatus,
      reason: error.reason,
      hint: 'Check the namespace, or create it first.',
      details: { ...error.details, missing: 'namespace' },
      cause: error,
    });
  }

  private isMissing(namespace: string): Promise<boolean> {
    const known = this.answers.get(namespace);
    if (known && this.now() - known.at < TTL_MS) return known.missing;
    if (this.answers.size >= MAX_REMEMBERED) this.answers.clear();
    const missing = this.ask(namespace);
    this.answers.set(namespace, { at: this.now(), missing });
    return missing;
  }

  private async ask(namespace: string): Promise<boolean> {
    try {
      await this.requester.json(
        readObjectRequest(RESOURCES.namespaces, { name: namespace, namespace: undefined }, undefined),
      );
      return false;
    } catch (error) {
      return error instanceof KubeApiError && error.code === 'k8s_not_found';
    }
  }
}

import { type JsonValue, NavinError } from '../errors';
import { type DocsSection, KUBECONFIG_RULES, type RuleName } from './rules';

/** Where something stands: a path of known keys and entry numbers, for example `users[2].user.exec`, and its line. */
export interface Place {
  readonly path: string;
  /** Counted from 1; absent where the text is not from the kubeconfig. */
  readonly line?: number | undefined;
}

interface KubeconfigErrorOptions {
  readonly place?: Place | undefined;
  /** A section that fits better than that of the rule. */
  readonly docs?: DocsSection | undefined;
  readonly details?: Readonly<Record<string, JsonValue>>;
}

/**
 * A kubeconfig, or a field beside it, is refused by the rule `rule`. Code `k8s_kubeconfig_invalid`. The hint tells what
 * to do instead and names the section of docs/kubeconfig.md. Nothing of the kubeconfig is in it except known key
 * names, entry positions and line numbers; there is no `cause`, because parsers put the source text into their errors.
 */
export class KubeconfigError extends NavinError {
  readonly rule: RuleName;

  constructor(rule: RuleName, what: string, options: KubeconfigErrorOptions = {}) {
    const { instead, docs } = KUBECONFIG_RULES[rule];
    const { place } = options;
    const page = `docs/kubeconfig.md#${options.docs ?? docs}`;
    super('k8s_kubeconfig_invalid', place === undefined ? what : `${at(place)} ${what}`, {
      hint: `${instead} See ${page}`,
      details: {
        rule,
        docs: page,
        ...(place === undefined ? {} : { path: place.path }),
        ...(place?.line === undefined ? {} : { line: place.line }),
        ...options.details,
      },
    });
    this.rule = rule;
  }
}

/**
 * The current context points to another server than the registered one. Code `k8s_server_mismatch`. Both addresses are
 * in the message in their canonical form, which has no place for user names or passwords.
 */
export class ServerMismatchError extends NavinError {
  constructor(kubeconfigServer: string, registeredServer: string, differs: readonly string[]) {
    super(
      'k8s_server_mismatch',
      `The current context of the kubeconfig points to ${kubeconfigServer}, the registered API server is ${registeredServer}: the ${differs.join(' and the ')} must be the same`,
      {
        hint: 'Correct the registered API server, or choose the right context (current-context) and export the kubeconfig again. See docs/kubeconfig.md#the-address-of-the-api-server',
        details: { kubeconfigServer, registeredServer, differs },
      },
    );
  }
}

function at(place: Place): string {
  return place.line === undefined ? place.path : `${place.path} (line ${place.line})`;
}

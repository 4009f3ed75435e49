import type { Context, Explanation } from './explanation';
import { subjectDetails, withWords } from './explanation';
import { rolesYaml, type AccessAttributes } from './rbac';
import { deniedRight, type ParsedStatus } from './status';
import { quoted } from './subject';

/*
 * The credential is not accepted (401), or what it asks is not allowed (403): by the authorizer, by admission, by a
 * disruption budget.
 */

/** 401. */
export function unauthorized({ says }: Context): Explanation {
  const expired = says !== undefined && /expired/i.test(says);
  return {
    code: 'k8s_unauthorized',
    message: expired
      ? 'The API server does not accept the credential: the token has expired.'
      : 'The API server does not accept the credential: the token or client certificate is wrong, expired or revoked.',
    hint: 'Make a new token or certificate for the account and put it into the credential.',
  };
}

/** 403: a missing right (with the rule to add), an unknown identity, or a refusal of admission. */
export function forbidden(context: Context): Explanation {
  const denied = context.status ? deniedRight(context.status.message) : undefined;
  if (!denied) {
    if (context.status === undefined) return missingRight(context, undefined);
    const terminating = context.causes.some((cause) => cause.reason === 'NamespaceTerminating');
    return terminating ? namespaceTerminating(context) : admission(context);
  }
  if (denied.user === 'system:anonymous') {
    return {
      code: 'k8s_unauthorized',
      message:
        'The API server took the request for an anonymous one: it does not know the client certificate or token.',
      hint: 'Make a client certificate that the CA of this cluster signs, or a token of one of its ServiceAccounts.',
    };
  }
  const { user, ...right } = denied;
  return missingRight(context, { right, user });
}

function missingRight(
  { subject, action }: Context,
  denied: { readonly right: AccessAttributes; readonly user: string } | undefined,
): Explanation {
  const right = denied?.right ?? subject;
  if (!right) return { code: 'k8s_forbidden', message: `The credential may not ${action}.` };
  const scope = right.namespace === undefined ? 'ClusterRole' : 'Role';
  const binding = right.namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
  const account = denied ? quoted(denied.user) : 'the account of the credential';
  const needed = `"${right.verb}" on ${resourceInGroup(right)}${right.namespace === undefined ? ' in the whole cluster' : ` in namespace ${quoted(right.namespace)}`}`;
  return {
    code: 'k8s_forbidden',
    message: `The credential may not ${action}: the right ${needed} is missing.`,
    hint: `Grant it to ${account} by a ${scope} and a ${binding}:\n${rolesYaml([right])}`,
    details: { ...subjectDetails(right), ...(denied ? { user: denied.user } : {}) },
  };
}

function resourceInGroup(right: AccessAttributes): string {
  const resource = right.subresource ? `${right.resource}/${right.subresource}` : right.resource;
  return right.group === '' ? resource : `${resource}.${right.group}`;
}

/** A quota, an admission policy or a webhook refused. */
export function admission(context: Context): Explanation {
  const clientError = context.httpStatus !== 403 && context.httpStatus !== 401;
  return {
    code: clientError ? 'k8s_invalid' : 'k8s_forbidden',
    message: withWords(`A policy of the cluster does not let the credential ${context.action}`, context.says),
    hint: 'This is no missing right: a quota, an admission policy or a webhook refused. Change the object, or ask whoever runs the cluster.',
    details: { refusedBy: 'admission' },
  };
}

function namespaceTerminating({ action, subject }: Context): Explanation {
  return {
    code: 'k8s_forbidden',
    message: `Cannot ${action}: the namespace ${quoted(subject?.namespace ?? '')} is being deleted.`,
    hint: 'Use another namespace, or wait until it is gone and create it again.',
    details: { refusedBy: 'namespace-terminating' },
  };
}

/** Whether an admission webhook refused: it may choose any status. */
export function deniesByWebhook(status: ParsedStatus | undefined): boolean {
  return status !== undefined && /(?:^|: )admission webhook "[^"]{1,253}" denied the request/.test(status.message);
}

/** 429 or 403 of an eviction: no overload, the budget is used up (`details.budget`). */
export function disruptionBudget({ causes, action }: Context): Explanation {
  const because = causes.find((cause) => cause.reason === 'DisruptionBudget')?.message;
  const budget = /^The disruption budget ([a-z0-9.-]{1,253}) /.exec(because ?? '')?.[1];
  return {
    code: 'k8s_operation_refused',
    message: withWords(`Cannot ${action}: a PodDisruptionBudget does not allow it now`, because),
    hint: 'Wait until more pods of the application are ready, then try again.',
    details: { refusedBy: 'DisruptionBudget', ...(budget === undefined ? {} : { budget }) },
  };
}

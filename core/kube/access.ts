import { NavinError } from '../errors';
import { KubeApiError, responseError } from './errors';
import { isRecord } from './kubeObject';
import type { AccessAttributes } from './rbac';
import type { Requester } from './requester';
import { oneLine } from './serverText';

/** Whether a right is there. */
export interface AccessReview {
  readonly allowed: boolean;
  /** Why, in the words of the authorizer, one line; often absent. */
  readonly reason?: string;
}

/**
 * Asks whether the credential has a right (SelfSubjectAccessReview). Nothing is created: the review is its answer.
 *
 * @throws NavinError of the request
 */
export async function reviewAccess(
  requester: Requester,
  attributes: AccessAttributes,
  signal?: AbortSignal,
): Promise<AccessReview> {
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const answer = await requester.json({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      contentType: 'application/json',
      value: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: {
          resourceAttributes: { verb, group, resource, subresource, namespace, name },
        },
      },
    },
    subject: { verb: 'create', group: 'authorization.k8s.io', resource: 'selfsubjectaccessreviews' },
    write: false,
    signal,
  });
  const status = isRecord(answer) ? answer.status : undefined;
  if (!isRecord(status) || typeof status.allowed !== 'boolean') {
    throw responseError('The answer is no access review.');
  }
  const reason = typeof status.reason === 'string' ? oneLine(status.reason, 300) : undefined;
  return { allowed: status.allowed, ...(reason === undefined ? {} : { reason }) };
}

/** Who the credential is to the API server. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
}

/** Newest first: v1 since Kubernetes 1.28, v1beta1 since 1.27, v1alpha1 (behind a gate) since 1.26. */
const REVIEW_VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];

/**
 * Who the credential is (SelfSubjectReview).
 *
 * @throws NavinError `k8s_unsupported` on a cluster that does not serve it (before 1.27), else of the request
 */
export async function whoAmI(requester: Requester, signal?: AbortSignal): Promise<UserInfo> {
  for (const version of REVIEW_VERSIONS) {
    try {
      return parseUser(
        await requester.json({
          method: 'POST',
          path: `/apis/authentication.k8s.io/${version}/selfsubjectreviews`,
          body: {
            contentType: 'application/json',
            value: { apiVersion: `authentication.k8s.io/${version}`, kind: 'SelfSubjectReview' },
          },
          subject: { verb: 'create', group: 'authentication.k8s.io', resource: 'selfsubjectreviews' },
          write: false,
          signal,
        }),
      );
    } catch (error) {
      if (!(error instanceof KubeApiError && error.code === 'k8s_not_found')) throw error;
    }
  }
  throw new NavinError(
    'k8s_unsupported',
    'This cluster cannot say who the credential is: it serves no SelfSubjectReview.',
    {
      hint: 'Kubernetes serves it from 1.27 on.',
    },
  );
}

function parseUser(answer: unknown): UserInfo {
  const status = isRecord(answer) ? answer.status : undefined;
  const user = isRecord(status) ? status.userInfo : undefined;
  if (!isRecord(user) || typeof user.username !== 'string') throw responseError('The answer is no review of a user.');
  const { groups, uid } = user;
  return {
    username: user.username,
    ...(typeof uid === 'string' ? { uid } : {}),
    groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
  };
}

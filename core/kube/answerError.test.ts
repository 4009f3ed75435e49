import { describe, expect, it } from '@jest/globals';
import { answerError } from './answerError';
import type { KubeApiError } from './errors';
import type { ErrorAnswer } from './explanation';
import { concealedValues, NOTHING_SENT } from './serverText';
import { parseStatus } from './status';
import type { RequestSubject } from './subject';
import { shown } from './testing/faultClient';

const POD: RequestSubject = {
  verb: 'get',
  group: '',
  resource: 'pods',
  kind: 'Pod',
  namespace: 'shop',
  name: 'web',
};
const LIST: RequestSubject = { verb: 'list', group: '', resource: 'pods', kind: 'Pod', namespace: 'shop' };
const SCALE: RequestSubject = {
  verb: 'patch',
  group: 'apps',
  resource: 'deployments',
  subresource: 'scale',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
};
const CREATE: RequestSubject = { ...POD, verb: 'create' };

interface StatusParts {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

function answer(httpStatus: number, parts: StatusParts | undefined, rest: Partial<ErrorAnswer> = {}): KubeApiError {
  const status = parts && parseStatus({ kind: 'Status', status: 'Failure', code: httpStatus, ...parts });
  return answerError({
    httpStatus,
    status,
    html: false,
    retryAfterSeconds: undefined,
    subject: POD,
    disclosure: NOTHING_SENT,
    ...rest,
  });
}

describe('answerError', () => {
  it('401: the credential is not accepted', () => {
    const error = answer(401, { reason: 'Unauthorized', message: 'Unauthorized' });
    expect([error.code, error.httpStatus, error.reason]).toEqual(['k8s_unauthorized', 401, 'Unauthorized']);
    expect(answer(401, { message: 'token has expired' }).message).toContain('the token has expired');
    expect(answer(401, undefined, { html: true }).code).toBe('k8s_unauthorized');
  });

  describe('403', () => {
    const denied = (what: string) => `pods "web" is forbidden: User "system:serviceaccount:shop:navin" cannot ${what}`;

    it('names the missing right and the Role that grants it', () => {
      const error = answer(
        403,
        { reason: 'Forbidden', message: denied('list resource "pods" in API group "" in the namespace "shop"') },
        { subject: LIST },
      );
      expect(error.code).toBe('k8s_forbidden');
      expect(error.message).toBe(
        'The credential may not list pods in namespace "shop": the right "list" on pods in namespace "shop" is missing.',
      );
      expect(error.details).toMatchObject({
        verb: 'list',
        group: '',
        resource: 'pods',
        subresource: null,
        namespace: 'shop',
        user: 'system:serviceaccount:shop:navin',
      });
      expect(error.hint).toBe(`Grant it to "system:serviceaccount:shop:navin" by a Role and a RoleBinding:
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: navin, namespace: shop }
rules:
  - apiGroups: [""]
    resources: [pods]
    verbs: [list]
`);
    });

    it('names subresources and their group', () => {
      const error = answer(
        403,
        { message: denied('patch resource "deployments/scale" in API group "apps" in the namespace "shop"') },
        { subject: SCALE },
      );
      expect(error.hint).toContain('apiGroups: [apps]\n    resources: [deployments/scale]\n    verbs: [patch]');
      expect(error.details).toMatchObject({ resource: 'deployments', subresource: 'scale', group: 'apps' });
    });

    it('asks for a ClusterRole where the whole cluster was asked for', () => {
      const error = answer(
        403,
        { message: denied('list resource "pods" in API group "" at the cluster scope') },
        { subject: { ...LIST, namespace: undefined } },
      );
      expect(error.hint).toContain('by a ClusterRole and a ClusterRoleBinding');
      expect(error.hint).toContain('kind: ClusterRole\nmetadata: { name: navin }');
      expect(error.message).toContain('in the whole cluster');
    });

    it('believes the API server about the verb: an apply that creates needs create', () => {
      const error = answer(
        403,
        { message: denied('create resource "deployments" in API group "apps" in the namespace "shop"') },
        { subject: { ...SCALE, subresource: undefined } },
      );
      expect(error.details).toMatchObject({ verb: 'create', resource: 'deployments', subresource: null });
    });

    it('never asks for rights of the anonymous user: the credential was not recognised', () => {
      const error = answer(403, {
        message:
          'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
      });
      expect(error.code).toBe('k8s_unauthorized');
      expect(shown(error)).not.toContain('Role');
    });

    it('tells a quota or a policy from a missing right', () => {
      const error = answer(
        403,
        {
          reason: 'Forbidden',
          message: 'pods "web" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=5',
        },
        { subject: CREATE },
      );
      expect(error.code).toBe('k8s_forbidden');
      expect(error.message).toBe(
        'A policy of the cluster does not let the credential create Pod "web" in namespace "shop": pods "web" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=5.',
      );
      expect(error.details.refusedBy).toBe('admission');
      expect(error.hint).not.toContain('kind: Role');
    });

    it('says that a namespace is being deleted', () => {
      const error = answer(
        403,
        {
          message: 'being terminated',
          details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
        },
        { subject: CREATE },
      );
      expect(error.message).toBe('Cannot create Pod "web" in namespace "shop": the namespace "shop" is being deleted.');
    });

    it('falls back to what was asked when the answer is no Status', () => {
      const error = answer(403, undefined);
      expect(error.code).toBe('k8s_forbidden');
      expect(error.hint).toContain('resources: [pods]\n    verbs: [get]');
    });
  });

  it.each([400, 403, 409, 422])('an admission webhook that refuses with %d', (code) => {
    const error = answer(
      code,
      { message: 'admission webhook "p.example" denied the request: no latest tag' },
      { subject: CREATE },
    );
    expect(error.message).toContain('A policy of the cluster');
    expect(error.message).toContain('no latest tag');
    expect(error.code).toBe(code === 403 ? 'k8s_forbidden' : 'k8s_invalid');
  });

  describe('404', () => {
    it('the object is missing', () => {
      const error = answer(404, { reason: 'NotFound', message: 'x', details: { name: 'web', kind: 'pods' } });
      expect(error.code).toBe('k8s_not_found');
      expect(error.message).toBe('Pod "web" in namespace "shop" does not exist.');
      expect(error.details.missing).toBe('object');
    });

    it('the namespace is missing', () => {
      const error = answer(404, { details: { name: 'shop', kind: 'namespaces' } }, { subject: CREATE });
      expect(error.message).toBe('The namespace "shop" does not exist.');
      expect(error.details.missing).toBe('namespace');
    });

    it('the kind is not served: text, or a Status without details', () => {
      for (const error of [
        answer(404, undefined),
        answer(404, { message: 'the server could not find the requested resource' }),
      ]) {
        expect(error.details.missing).toBe('kind');
        expect(error.message).toContain('does not serve pods');
      }
      expect(answer(404, {}, { subject: SCALE }).message).toContain('does not serve scale of deployments');
    });

    it('another object than the one asked for is missing', () => {
      const error = answer(404, { details: { name: 'sa', kind: 'serviceaccounts' } }, { subject: CREATE });
      expect(error.message).toBe('"sa" (serviceaccounts) does not exist.');
    });

    it('no Kubernetes at all', () => {
      expect(answer(404, undefined, { subject: undefined }).code).toBe('k8s_not_kubernetes');
    });
  });

  describe('409', () => {
    it('it exists already', () => {
      const error = answer(409, { reason: 'AlreadyExists' }, { subject: CREATE });
      expect(error.code).toBe('k8s_already_exists');
      expect(error.message).toBe('Cannot create Pod "web" in namespace "shop": it exists already.');
    });

    it('names managers and fields of a refused apply', () => {
      const error = answer(
        409,
        {
          reason: 'Conflict',
          message: 'Apply failed with 2 conflicts',
          details: {
            causes: [
              {
                reason: 'FieldManagerConflict',
                message: 'conflict with "kubectl" using apps/v1',
                field: '.spec.replicas',
              },
              {
                reason: 'FieldManagerConflict',
                message: 'conflict with "hpa" with subresource "scale" using apps/v1 at 2026-01-01T00:00:00Z',
                field: '.spec.template.spec.containers[name="web"].image',
              },
            ],
          },
        },
        { subject: { ...POD, verb: 'patch' } },
      );
      expect(error.code).toBe('k8s_conflict');
      expect(error.conflicts).toEqual([
        { manager: 'kubectl', field: '.spec.replicas' },
        { manager: 'hpa', field: '.spec.template.spec.containers[name="web"].image' },
      ]);
      expect(error.message).toBe(
        'Cannot apply Pod "web" in namespace "shop": other field managers own .spec.replicas (kubectl), .spec.template.spec.containers[name="web"].image (hpa).',
      );
    });

    it('somebody changed it, or it is another object', () => {
      expect(answer(409, { reason: 'Conflict', message: 'the object has been modified' }).message).toContain(
        'somebody changed it',
      );
      expect(
        answer(409, {
          reason: 'Conflict',
          message: 'Precondition failed: UID in precondition: a, UID in object meta: b',
        }).message,
      ).toContain('not the object that was meant');
    });
  });

  it('410 brings the token that goes on', () => {
    const error = answer(
      410,
      { reason: 'Expired', message: 'too old', metadata: { continue: 'abc' } },
      { subject: LIST },
    );
    expect([error.code, error.continueToken]).toEqual(['k8s_expired', 'abc']);
  });

  describe('422', () => {
    const causes = [
      { reason: 'FieldValueInvalid', message: 'Invalid value: "s3cr3t-value": must be a number', field: 'spec.a' },
      { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.b' },
    ];

    it('names fields and what is wrong, not the values', () => {
      const error = answer(
        422,
        { reason: 'Invalid', message: 'Pod "web" is invalid: s3cr3t-value', details: { causes } },
        { subject: CREATE },
      );
      expect(error.code).toBe('k8s_invalid');
      expect(error.message).toBe(
        'The API server refuses to create Pod "web" in namespace "shop": spec.a: must be a number; spec.b: FieldValueRequired.',
      );
      expect(error.causes).toEqual([
        { reason: 'FieldValueInvalid', field: 'spec.a', message: 'must be a number' },
        { reason: 'FieldValueRequired', field: 'spec.b', message: undefined },
      ]);
      expect(shown(error)).not.toContain('s3cr3t');
    });

    it('counts what it leaves out', () => {
      const many = Array.from({ length: 9 }, (_, index) => ({
        reason: 'FieldValueRequired',
        field: `spec.f${index}`,
        message: '',
      }));
      expect(answer(422, { details: { causes: many } }).message).toMatch(/; and 4 more\.$/);
    });

    it('says nothing but fields about Secrets', () => {
      const secret = { ...CREATE, resource: 'secrets', kind: 'Secret' };
      const error = answer(
        422,
        {
          message: 'data is wrong',
          details: { causes: [{ ...causes[0], message: 'Invalid value: "x": leaked-detail' }] },
        },
        {
          subject: secret,
          disclosure: { silent: true, concealed: () => [] },
        },
      );
      expect(error.message).toBe(
        'The API server refuses to create Secret "web" in namespace "shop": spec.a: FieldValueInvalid.',
      );
      expect(shown(error)).not.toContain('leaked');
    });
  });

  describe('429', () => {
    it('is overload', () => {
      const error = answer(429, undefined, { retryAfterSeconds: 7 });
      expect([error.code, error.retryAfterSeconds]).toEqual(['k8s_throttled', 7]);
      expect(error.message).toContain('asks to wait 7 s');
      expect(answer(429, { details: { retryAfterSeconds: 3 } }).retryAfterSeconds).toBe(3);
    });

    it.each([429, 403])('is a disruption budget, by %d', (code) => {
      const message = 'The disruption budget web needs 2 healthy pods and has 2 currently';
      const error = answer(
        code,
        {
          reason: 'TooManyRequests',
          message: 'Cannot evict pod',
          details: { causes: [{ reason: 'DisruptionBudget', message }] },
        },
        {
          subject: { ...CREATE, subresource: 'eviction' },
        },
      );
      expect(error.code).toBe('k8s_operation_refused');
      expect(error.message).toContain(message);
      expect(error.hasCause('DisruptionBudget')).toBe(true);
      expect(error.details.budget).toBe('web');
    });
  });

  it.each([
    [500, 'Internal error: etcd', undefined],
    [502, '', 'unknown'],
    [503, 'the server is currently unable to handle the request', undefined],
    [503, 'etcdserver: no leader', 'unknown'],
    [504, 'Timeout: request did not complete', 'unknown'],
    [500, 'etcdserver: request timed out', 'unknown'],
    [500, 'failed calling webhook: context deadline exceeded', 'unknown'],
  ])('%d %s', (code, message, outcome) => {
    const error = answer(code, { message });
    expect(error.code).toBe('k8s_server_error');
    expect(error.details.outcome).toBe(outcome);
  });

  it('500 of an applied body that does not fit the schema: it is not worth repeating', () => {
    const message =
      'failed to create typed patch object (shop/web; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema';
    const error = answer(500, { message }, { subject: { ...CREATE, verb: 'patch' } });
    expect([error.code, error.httpStatus]).toEqual(['k8s_invalid', 500]);
    expect(error.message).toContain('.spec.foo: field not declared in schema');
  });

  it('504 of a version from the future', () => {
    const error = answer(504, {
      message: 'Too large resource version',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
    expect(error.hasCause('ResourceVersionTooLarge')).toBe(true);
    expect(error.message).toContain('newer than what it has seen');
  });

  it.each([
    [302, undefined, 'k8s_not_kubernetes'],
    [405, {}, 'k8s_unsupported'],
    [406, {}, 'k8s_unsupported'],
    [415, {}, 'k8s_unsupported'],
    [414, undefined, 'k8s_parameter_invalid'],
    [431, undefined, 'k8s_parameter_invalid'],
    [418, undefined, 'k8s_response_invalid'],
    [413, {}, 'k8s_parameter_invalid'],
  ])('%d', (code, parts, expected) => {
    expect(answer(code, parts).code).toBe(expected);
  });

  it('a refused read is a wrong parameter, a refused change a wrong object', () => {
    const message = 'field label not supported: spec.foo';
    expect(answer(400, { reason: 'BadRequest', message }, { subject: LIST }).code).toBe('k8s_parameter_invalid');
    expect(answer(400, { reason: 'BadRequest', message }, { subject: CREATE }).code).toBe('k8s_invalid');
  });

  it.each([200, 403, 404, 400])('a web page with %d is no Kubernetes', (code) => {
    expect(answer(code, undefined, { html: true }).code).toBe('k8s_not_kubernetes');
  });

  it('a web page with 503 is a gateway in trouble', () => {
    expect(answer(503, undefined, { html: true }).code).toBe('k8s_server_error');
  });

  it('never shows what was sent, whatever the Status says', () => {
    const body = { metadata: { name: 'web' }, spec: { env: [{ name: 'A', value: 'p4ssw0rd-of-env' }] } };
    for (const code of [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503, 504]) {
      const leak = 'it was p4ssw0rd-of-env';
      const error = answer(
        code,
        {
          reason: 'X',
          message: leak,
          details: {
            causes: [
              { reason: 'Y', message: leak, field: 'f' },
              { reason: 'Z', message: leak },
            ],
          },
        },
        {
          disclosure: { silent: false, concealed: () => concealedValues(body) },
        },
      );
      expect(shown(error)).not.toContain('p4ssw0rd-of-env');
    }
  });

  it('survives a Status of any shape', () => {
    const odd = {
      reason: 7,
      message: {},
      code: 'x',
      details: { causes: [null, 1, { field: 3, reason: {}, message: [] }], retryAfterSeconds: 'soon' },
      metadata: null,
    };
    const status = parseStatus({ kind: 'Status', ...odd });
    expect(
      answerError({
        httpStatus: 422,
        status,
        html: false,
        retryAfterSeconds: undefined,
        subject: undefined,
        disclosure: NOTHING_SENT,
      }).code,
    ).toBe('k8s_invalid');
    expect(parseStatus({ kind: 'Pod' })).toBeUndefined();
    expect(parseStatus('Status')).toBeUndefined();
  });
});

describe('400 of a log', () => {
  const LOG: RequestSubject = { ...POD, subresource: 'log' };
  it.each([
    [
      'container "app" in pod "web" is waiting to start: ContainerCreating',
      'k8s_not_found',
      'waiting',
      '(ContainerCreating)',
    ],
    [
      'container "app" in pod "web" is waiting to start - no logs yet',
      'k8s_not_found',
      'waiting',
      'has not started yet',
    ],
    [
      'container "app" in pod "web" is waiting to start: trying and failing to pull image\n',
      'k8s_not_found',
      'waiting',
      'pull image',
    ],
    ['previous terminated container "app" in pod "web" not found', 'k8s_not_found', 'no-previous', 'no previous log'],
    ['container "app" in pod "web" is terminated', 'k8s_not_found', 'gone', 'is gone'],
    ['container app is not valid for pod web', 'k8s_parameter_invalid', 'unknown-container', 'no container "app"'],
  ])('%s', (message, code, log, words) => {
    const error = answer(400, { reason: 'BadRequest', message }, { subject: LOG });
    expect([error.code, error.details.log]).toEqual([code, log]);
    expect(error.message).toContain(words);
  });

  it('lists the containers to choose from', () => {
    const message = 'a container name must be specified for pod web, choose one of: [app sidecar]';
    const error = answer(400, { reason: 'BadRequest', message }, { subject: LOG });
    expect(error.details).toMatchObject({
      log: 'choose-container',
      containers: ['app', 'sidecar'],
      parameter: 'container',
    });
    expect(error.hint).toBe('Its containers are "app", "sidecar".');
  });

  it('has a word for what it does not know', () => {
    expect(answer(400, { message: 'something else' }, { subject: LOG }).code).toBe('k8s_invalid');
  });
});

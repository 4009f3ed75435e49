import { NavinError } from '../../../../core/errors';
import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { defined, listAt, numberAt, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';

export const description = defineOperation({
  name: 'Create Token',
  value: 'createToken',
  action: 'Create token of serviceaccount',
  description: 'Create a token of a ServiceAccount; it is in the output, so n8n stores it with the execution',
  rightsGroup: 'tokens',
  rights: [{ verb: 'create', group: '', resource: 'serviceaccounts', subresource: 'token' }],
  properties: [
    namespaceLocator(),
    nameLocator('serviceaccount'),
    {
      displayName: 'Duration',
      name: 'durationSeconds',
      type: 'number',
      default: 3600,
      // The bounds of the API.
      typeOptions: { minValue: 600, maxValue: 4294967296, numberPrecision: 0 },
      description: 'Seconds the token is valid for; clusters may make it less',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Audiences',
          name: 'audiences',
          type: 'string',
          typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Audience' },
          default: [],
          placeholder: 'e.g. vault',
          description: 'Whom the token is for; the API server of the cluster when there are none',
        },
        {
          displayName: 'Bound Object Kind',
          name: 'boundKind',
          type: 'options',
          default: 'Pod',
          description: 'Kind of the object the token ends with',
          options: [
            { name: 'Node', value: 'Node' },
            { name: 'Pod', value: 'Pod' },
            { name: 'Secret', value: 'Secret' },
          ],
        },
        {
          displayName: 'Bound Object Name',
          name: 'boundName',
          type: 'string',
          default: '',
          placeholder: 'e.g. web-7d4b9',
          description: 'The token is no longer valid once this object is gone',
        },
        {
          displayName: 'Bound Object UID',
          name: 'boundUid',
          type: 'string',
          default: '',
          description: 'UID of the object, to be sure that it is the one that is meant',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** The most texts of an answer that are passed on. */
const MAX_AUDIENCES = 100;

/**
 * The token is a secret and the output: nothing else holds it, no error and no note. The API server makes a new one each
 * time and keeps none; a token cannot be taken back but by the end of its account or of the object it is bound to.
 */
export async function run(
  client: KubeClient,
  parameters: Parameters,
  context: Pick<OperationContext, 'note'>,
): Promise<object> {
  const { namespace, name, durationSeconds, options } = parameters;
  const audiences = (options.audiences ?? []).map((audience) => audience.trim()).filter((audience) => audience !== '');
  const answer = await client.create(
    RESOURCES.serviceaccounts,
    { namespace, name, subresource: 'token' },
    {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: defined({ audiences, expirationSeconds: durationSeconds, boundObjectRef: boundObject(options) }),
    },
  );
  const granted = numberAt(answer, 'spec', 'expirationSeconds') ?? durationSeconds;
  if (granted < durationSeconds) context.note(`The cluster gives tokens for ${String(granted)} s at most`);
  return {
    name,
    namespace,
    ...tokenOf(answer),
    audiences: listAt(answer, 'spec', 'audiences')
      .filter((audience) => typeof audience === 'string')
      .slice(0, MAX_AUDIENCES),
  };
}

/** @throws NavinError `k8s_parameter_invalid` when a part of it is given without the name */
function boundObject({ boundKind, boundName, boundUid }: Parameters['options']): object | undefined {
  const name = boundName?.trim() ?? '';
  const uid = boundUid?.trim() ?? '';
  if (name !== '') {
    return defined({ apiVersion: 'v1', kind: boundKind ?? 'Pod', name, uid: uid === '' ? undefined : uid });
  }
  if (boundKind === undefined && uid === '') return undefined;
  throw parameterInvalid(
    'options',
    'Options > Bound Object Name',
    'is empty, but the kind or UID of the object is given',
  );
}

/** @throws NavinError `k8s_response_invalid`, which repeats nothing of the answer */
function tokenOf(answer: KubeObject): { readonly token: string; readonly expirationTimestamp: string } {
  const token = textAt(answer, 'status', 'token');
  const expirationTimestamp = textAt(answer, 'status', 'expirationTimestamp');
  if (token !== undefined && token !== '' && expirationTimestamp !== undefined) return { token, expirationTimestamp };
  throw new NavinError('k8s_response_invalid', 'The answer holds no token');
}

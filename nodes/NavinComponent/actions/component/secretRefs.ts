import type { ManagedComponent } from '../../../../core/components';

/** References of Secrets: their names go to the chart, what they hold is never read. */
export const SECRET_REFS_FIELD = {
  displayName: 'Secret References',
  name: 'secretRefs',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Secret Reference',
  default: {},
  description: 'Secrets the chart uses; only their names go into its values, what they hold is never read',
  options: [
    {
      displayName: 'Reference',
      name: 'reference',
      values: [
        {
          displayName: 'Secret',
          name: 'secretName',
          type: 'resourceLocator',
          required: true,
          default: { mode: 'list', value: '' },
          description: 'A Secret of the namespace',
          modes: [
            {
              displayName: 'From List',
              name: 'list',
              type: 'list',
              typeOptions: { searchListMethod: 'searchSecrets', searchable: true },
            },
            { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. database' },
          ],
        },
        {
          displayName: 'Key',
          name: 'key',
          type: 'resourceLocator',
          required: true,
          default: { mode: 'list', value: '' },
          description: 'A key the Secret must have',
          modes: [
            {
              displayName: 'From List',
              name: 'list',
              type: 'list',
              typeOptions: { searchListMethod: 'searchSecretKeys', searchable: true },
            },
            { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. password' },
          ],
        },
        {
          displayName: 'Value Path',
          name: 'valuePath',
          type: 'string',
          required: true,
          default: '',
          placeholder: 'e.g. auth.existingSecret',
          description: 'The value of the chart that takes the name of the Secret',
        },
      ],
    },
  ],
} as const;

type SecretRefs = NonNullable<ManagedComponent['spec']['secretRefs']>;

/** The references that were given. Their form is checked with the rest of the spec. */
export function secretRefsOf({
  secretRefs,
}: {
  readonly secretRefs: { readonly reference: readonly SecretRefs[number][] };
}): SecretRefs {
  return secretRefs.reference.map(({ secretName, key, valuePath }) => ({
    secretName,
    key,
    valuePath: valuePath.trim(),
  }));
}

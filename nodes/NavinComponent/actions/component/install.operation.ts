import {
  checkComponent,
  COMPONENT_API_VERSION,
  COMPONENT_KIND,
  COMPONENTS,
  type ManagedComponent,
  withoutInlineSecrets,
} from '../../../../core/components';
import type { KubeClient } from '../../../../core/kube';
import { defined } from '../../../shared/json';
import { namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { MASK } from '../../../shared/secretValues';
import { simplifyComponent } from '../../../shared/simplify';
import { INTERVAL_OPTION } from '../../../shared/wait';
import { BUDGET_FIELDS, budgetOf } from './budget';
import { confirmed } from './change';
import { CHART_FIELDS, sourceOf } from './chart';
import { BLOCKED_OPTION, confirmFields, INSTALL_RIGHTS, ROLLOUT_SECONDS, TRY_OPTION } from './fields';
import { asComponent, served } from './read';
import { NEW_SCALE_FIELDS, scaleOf, TARGET_OPTIONS } from './scaling';
import { SECRET_REFS_FIELD, secretRefsOf } from './secretRefs';
import { VALUES_PARAMETERS, valuesOf } from './values';

export const description = defineOperation({
  name: 'Install',
  value: 'install',
  action: 'Install component',
  description: 'Install a Helm chart as a component; the operator renders and runs it',
  rightsGroup: 'components',
  rights: INSTALL_RIGHTS,
  properties: [
    namespaceLocator(),
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. web',
      description: 'The name of the new component: up to 53 small letters, digits and hyphens, a letter first',
    },
    ...CHART_FIELDS,
    ...VALUES_PARAMETERS,
    SECRET_REFS_FIELD,
    ...NEW_SCALE_FIELDS,
    ...BUDGET_FIELDS,
    ...confirmFields(ROLLOUT_SECONDS),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        BLOCKED_OPTION,
        TRY_OPTION,
        {
          displayName: 'Install Stopped',
          name: 'stopped',
          type: 'boolean',
          default: false,
          description: 'Whether it runs no Pods until it is started',
        },
        {
          displayName: 'Maintenance',
          name: 'maintenance',
          type: 'boolean',
          default: false,
          description: 'Whether it is in maintenance from the beginning; it is installed all the same',
        },
        INTERVAL_OPTION,
        TARGET_OPTIONS.kind,
        TARGET_OPTIONS.name,
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Everything that is certain to be refused is refused before it is sent. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { namespace, options } = parameters;
  const name = parameters.name.trim();
  const body = {
    apiVersion: COMPONENT_API_VERSION,
    kind: COMPONENT_KIND,
    metadata: { name, namespace },
    spec: specOf(parameters),
  };
  checkComponent(body);
  const { dryRun } = options;
  const created = asComponent(
    await served(
      async () => await client.create(COMPONENTS, { namespace }, body, { dryRun, fieldValidation: 'Strict' }),
    ),
  );
  const about = { request: 'install', changed: true };
  if (dryRun === true) {
    const { spec } = created;
    const values = spec.values === undefined ? {} : { values: withoutInlineSecrets(spec.values, MASK) };
    const changes = [{ path: 'spec', after: { ...spec, ...values } }];
    return { ...simplifyComponent(created), ...about, dryRun: true, changes };
  }
  const state = options.stopped === true ? 'stopped' : 'started';
  // Whoever stops it meanwhile ends the waiting.
  const asked = { desiredState: created.spec.desiredState };
  return await confirmed(client, created, { until: 'settled', state, asked }, { parameters, about }, context);
}

function specOf(parameters: Parameters): ManagedComponent['spec'] {
  const { options } = parameters;
  const version = parameters.version.trim();
  const secretRefs = secretRefsOf(parameters);
  const pdb = budgetOf(parameters);
  const spec = defined({
    version: version === '' ? undefined : version,
    source: sourceOf(parameters),
    values: valuesOf(parameters),
    secretRefs: secretRefs.length === 0 ? undefined : secretRefs,
    ...scaleOf(parameters),
    pdb: pdb ?? undefined,
    desiredState: options.stopped === true ? ('Stopped' as const) : undefined,
    maintenance: options.maintenance === true ? true : undefined,
  });
  return spec as ManagedComponent['spec'];
}

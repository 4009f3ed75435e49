import { NavinError } from '../../../../core/errors';
import { isRecord, type JsonPatchOperation, type KubeClient, type KubeObject } from '../../../../core/kube';
import { at, numberAt, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { TRY_OPTION } from '../objectChanges';
import { BUDGET_RIGHT, budgetWarnings } from './budget';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { ON_DELETE } from './restart';
import { chosenRevision, type Revision, revisionRight, revisionsOf } from './revisions';
import { testedPatch } from './testedPatch';
import { warned } from './warnings';
import { changeRights, readWorkload, shown, titled, triedOn, type WorkloadKind } from './workload';

/** The description of Undo. */
/* @__NO_SIDE_EFFECTS__ */
export function describeUndo<K extends WorkloadKind>(kind: K) {
  return defineOperation({
    name: 'Undo Rollout',
    value: 'undo',
    action: `Undo ${kind} rollout`,
    description: `Go back to the pod template of an earlier revision of a ${kind}`,
    rightsGroup: 'workloads',
    rights: [...changeRights(kind), revisionRight(kind), BUDGET_RIGHT],
    properties: [
      namespaceLocator(),
      nameLocator(kind),
      {
        displayName: 'Revision',
        name: 'revision',
        type: 'number',
        default: 0,
        typeOptions: { minValue: 0, numberPrecision: 0 },
        description: 'The revision to go back to, see Get Rollout History; 0 for the one before the newest',
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [TRY_OPTION, FORCE_OPTION],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeUndo<'deployment'>>>;

/** As kubectl rollout undo; refused for a paused Deployment, and when the workload was changed in between. */
export async function undo(
  client: KubeClient,
  kind: WorkloadKind,
  { namespace, name, revision: wanted, options }: Parameters,
  context: OperationContext,
): Promise<object> {
  const workload = await readWorkload(client, kind, { namespace, name });
  if (at(workload, 'spec', 'paused') === true) {
    throw new NavinError('k8s_operation_refused', `The ${titled(kind, name)} is paused: it would not go back`, {
      hint: 'Resume it first',
      details: { namespace, name },
    });
  }
  const revision = chosenRevision(kind, name, await revisionsOf(client, kind, workload), wanted);
  const warnings = [
    ...ownerWarnings(kind, workload, 'declared', options),
    ...(at(workload, 'spec', 'updateStrategy', 'type') === 'OnDelete' ? [ON_DELETE] : []),
    ...(await budgetWarnings(client, namespace, workload)),
  ];
  const body = patchTo(workload, revision);
  const after = await testedPatch(client, kind, { namespace, name }, body, { what: 'fields', dryRun: options.dryRun });
  return shown(kind, after, {
    restoredRevision: revision.number,
    changed: numberAt(workload, 'metadata', 'generation') !== numberAt(after, 'metadata', 'generation'),
    ...triedOn(workload, after, options.dryRun),
    ...warned(kind, name, warnings, context),
  });
}

/** Replaces the whole template, of the very state that was read: its status may have changed since, its fields not. */
function patchTo(workload: KubeObject, { object, template }: Revision): readonly JsonPatchOperation[] {
  if (!isRecord(template)) {
    throw new NavinError(
      'k8s_response_invalid',
      `The revision ${textAt(object, 'metadata', 'name') ?? ''} has no template`,
    );
  }
  return [
    { op: 'test', path: '/metadata/generation', value: workload.metadata.generation },
    { op: 'replace', path: '/spec/template', value: ownTemplate(template) },
  ];
}

/**
 * The template as the workload has it: without the label by which a Deployment tells its ReplicaSets apart, and without
 * the word to kubectl in a ControllerRevision.
 */
function ownTemplate(template: Readonly<Record<string, unknown>>): object {
  const metadata = isRecord(template.metadata) ? template.metadata : {};
  const labels = isRecord(metadata.labels) ? metadata.labels : {};
  return without('$patch', { ...template, metadata: { ...metadata, labels: without('pod-template-hash', labels) } });
}

function without(key: string, fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
}

import type { KubeClient } from '../../../../core/kube';
import { at, textAt } from '../../../shared/json';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { TRY_OPTION } from '../objectChanges';
import { FORCE_OPTION, ownerWarnings } from './owners';
import { findContainer, INIT_CONTAINER_OPTION } from './templateContainer';
import { testedPatch } from './testedPatch';
import { warned } from './warnings';
import { changeRights, readWorkload, shown, triedOn, type WorkloadKind } from './workload';

/** The description of Set Image. */
/* @__NO_SIDE_EFFECTS__ */
export function describeSetImage<K extends WorkloadKind>(kind: K) {
  return defineOperation({
    name: 'Set Image',
    value: 'setImage',
    action: `Set ${kind} image`,
    description: `Set the image of one container of a ${kind}, which rolls it out`,
    rightsGroup: 'workloads',
    rights: changeRights(kind),
    properties: [
      namespaceLocator(),
      nameLocator(kind),
      containerLocator('The container whose image to set; may be left out when there is only one'),
      {
        displayName: 'Image',
        name: 'image',
        type: 'string',
        required: true,
        default: '',
        placeholder: 'e.g. registry.example.com/web:1.2.3',
        description: 'The new image',
      },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [TRY_OPTION, FORCE_OPTION, INIT_CONTAINER_OPTION],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeSetImage<'deployment'>>>;

/**
 * Replaces the image by a JSON patch that also tests the name of the container, so that a container that was added or
 * removed in between is never hit by mistake.
 */
export async function setImage(
  client: KubeClient,
  kind: WorkloadKind,
  parameters: Parameters,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, options } = parameters;
  const image = checkedImage(parameters.image);
  const list = options.initContainer === true ? 'initContainers' : 'containers';
  const workload = await readWorkload(client, kind, { namespace, name });
  const { container, index } = findContainer(kind, workload, list, parameters.container);
  const warnings = ownerWarnings(kind, workload, 'declared', options);
  const path = `/spec/template/spec/${list}/${String(index)}`;
  const previousImage = textAt(workload, 'spec', 'template', 'spec', list, index, 'image');
  const after = await testedPatch(
    client,
    kind,
    { namespace, name },
    [
      { op: 'test', path: `${path}/name`, value: container },
      { op: 'replace', path: `${path}/image`, value: image },
    ],
    { what: 'containers', dryRun: options.dryRun },
  );
  const paused = at(after, 'spec', 'paused') === true ? [PAUSED] : [];
  return shown(kind, after, {
    container,
    image,
    previousImage,
    changed: previousImage !== image,
    ...triedOn(workload, after, options.dryRun),
    ...warned(kind, name, [...warnings, ...paused], context),
  });
}

const PAUSED = 'it is paused: the image rolls out when it is resumed';

function checkedImage(image: string): string {
  const trimmed = image.trim();
  if (/[\s\p{Cc}]/u.test(trimmed)) throw parameterInvalid('image', 'Image', 'must not contain spaces or line breaks');
  return trimmed;
}

import { NavinError } from '../../../../core/errors';
import { KubeApiError, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { at, listAt, textAt } from '../../../shared/json';
import { containerLocator, nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { simplifyDeployment } from '../../../shared/simplify';

export const description = defineOperation({
  name: 'Set Image',
  value: 'setImage',
  action: 'Set deployment image',
  description: 'Set the image of one container of a deployment, which rolls it out',
  rightsGroup: 'workloads',
  rights: [
    { verb: 'get', group: 'apps', resource: 'deployments' },
    { verb: 'patch', group: 'apps', resource: 'deployments' },
  ],
  properties: [
    namespaceLocator(),
    nameLocator('deployment'),
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
      options: [
        {
          displayName: 'Init Container',
          name: 'initContainer',
          type: 'boolean',
          default: false,
          description: 'Whether the container is an init container',
        },
      ],
    },
  ],
});

/**
 * Replaces the image by a JSON patch that also tests the name of the container, so that a container that was added or
 * removed in between is never hit by mistake.
 */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, options } = parameters;
  const image = checkedImage(parameters.image);
  const list = options.initContainer === true ? 'initContainers' : 'containers';
  const deployment = await client.get(RESOURCES.deployments, { namespace, name });
  const { container, index } = findContainer(deployment, list, parameters.container);
  const path = `/spec/template/spec/${list}/${String(index)}`;
  const previousImage = textAt(deployment, 'spec', 'template', 'spec', list, index, 'image');
  const patched = await attempt(
    async () =>
      await client.patch(
        RESOURCES.deployments,
        { namespace, name },
        {
          type: 'json',
          body: [
            { op: 'test', path: `${path}/name`, value: container },
            { op: 'replace', path: `${path}/image`, value: image },
          ],
        },
      ),
  );
  if (patched.error !== undefined) throw isFailedTest(patched.error) ? changedMeanwhile(name) : patched.error;
  const after = patched.value;
  const paused = at(after, 'spec', 'paused') === true;
  if (paused) context.note(`Deployment ${name}: ${PAUSED}`);
  return {
    ...simplifyDeployment(after),
    container,
    image,
    previousImage,
    changed: previousImage !== image,
    ...(paused ? { warning: PAUSED } : {}),
  };
}

/** A JSON patch whose test fails is answered by 422 that names no field. */
function isFailedTest(error: NavinError): boolean {
  return error instanceof KubeApiError && error.code === 'k8s_invalid' && error.causes.length === 0;
}

function changedMeanwhile(name: string): NavinError {
  return new NavinError('k8s_conflict', `The containers of the Deployment ${name} were changed in between`, {
    hint: 'Nothing was changed by this operation: run it again',
  });
}

const PAUSED = 'it is paused: the image rolls out when it is resumed';

function checkedImage(image: string): string {
  const trimmed = image.trim();
  if (/[\s\p{Cc}]/u.test(trimmed)) throw parameterInvalid('image', 'Image', 'must not contain spaces or line breaks');
  return trimmed;
}

function findContainer(
  deployment: KubeObject,
  list: 'containers' | 'initContainers',
  wanted: string,
): { readonly container: string; readonly index: number } {
  const names = listAt(deployment, 'spec', 'template', 'spec', list).map((entry) => textAt(entry, 'name') ?? '');
  const container = wanted === '' && names.length === 1 ? (names[0] ?? '') : wanted;
  const index = container === '' ? -1 : names.indexOf(container);
  if (index >= 0) return { container, index };
  const what = list === 'containers' ? 'a container' : 'an init container';
  if (names.length === 0) {
    throw new NavinError('k8s_parameter_invalid', `This Deployment has no ${what.replace(/^an? /, '')}`, {
      hint: "Look at the option 'Init Container'",
      details: { parameter: 'container' },
    });
  }
  const problem = wanted === '' ? 'is not chosen, and there are several' : `is not ${what} of this Deployment`;
  throw parameterInvalid('container', 'Container', `${problem}; it has: ${names.join(', ')}`);
}

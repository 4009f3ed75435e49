import { Type } from 'typebox';
import type { KubeObject, ObjectMeta } from '../../kube';
import { isReservedName, MAX_COMPONENT_NAME } from '../names';
import type { Rule } from './rule';
import { SPEC, type ComponentSpec } from './spec';
import { STATUS, type ComponentStatus } from './status';

/** A ManagedComponent as the API server holds it. */
export interface ManagedComponent extends KubeObject {
  readonly metadata: ObjectMeta;
  readonly spec: ComponentSpec;
  readonly status?: ComponentStatus;
}

/** What rules about the whole resource see. */
interface Named {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly service?: string };
}

const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

const rules: readonly Rule<Named>[] = [
  {
    rule: `self.metadata.name.size() <= ${MAX_COMPONENT_NAME} && self.metadata.name.matches('${NAME.source}')`,
    message: `the name must be at most ${MAX_COMPONENT_NAME} characters: small letters, digits and -, a letter first`,
    holds: ({ metadata }) => metadata.name.length <= MAX_COMPONENT_NAME && NAME.test(metadata.name),
  },
  {
    rule: "!self.metadata.name.startsWith('navin-operator') && !self.metadata.name.startsWith('navin-cluster-agent')",
    message: 'the names navin-operator* and navin-cluster-agent* are kept for the platform itself (ReservedName)',
    holds: ({ metadata }) => !isReservedName(metadata.name),
  },
  {
    rule: '!has(self.spec.service) || self.spec.service == self.metadata.name',
    message: 'spec.service must be the name of the resource',
    holds: ({ metadata, spec }) => spec.service === undefined || spec.service === metadata.name,
  },
];

/** The whole resource but `apiVersion`, `kind` and `metadata`, which the API server checks. */
export const COMPONENT = Type.Object(
  { spec: SPEC, status: Type.Optional(STATUS) },
  { additionalProperties: false, rules },
);

/** Rules about the whole resource. */
export const COMPONENT_RULES = rules;

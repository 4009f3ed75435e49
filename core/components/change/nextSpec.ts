import { isRecord } from '../../kube';
import { without } from '../fields';
import type { ComponentSpec } from '../resource/spec';
import type { Ask, Configuration, Scale } from './ask';
import { laterTime } from './laterTime';

/** The spec that asks for something, made of the one that is there. Nothing else of it changes. */
export function nextSpec(spec: ComponentSpec, ask: Ask): ComponentSpec {
  switch (ask.type) {
    case 'start':
      // Running is what a spec asks for that says nothing.
      return spec.desiredState === undefined ? spec : { ...spec, desiredState: 'Running' };
    case 'stop':
      return { ...spec, desiredState: 'Stopped' };
    case 'restart':
      return { ...spec, restartRequestedAt: laterTime(ask.now, spec.restartRequestedAt) };
    case 'scale':
      return scaled(spec, ask.scale);
    case 'maintenance':
      return (spec.maintenance ?? false) === ask.enabled ? spec : { ...spec, maintenance: ask.enabled };
    case 'configure':
      return configured(spec, ask.configuration);
  }
}

/** Replicas and autoscaling are never both there. */
function scaled(spec: ComponentSpec, { replicas, autoscaling, scaleTarget }: Scale): ComponentSpec {
  return {
    ...without(spec, 'replicas', 'autoscaling'),
    ...(replicas === undefined ? { autoscaling } : { replicas }),
    ...(scaleTarget === undefined ? {} : { scaleTarget }),
  };
}

function configured(spec: ComponentSpec, configuration: Configuration): ComponentSpec {
  const { source = spec.source, version = spec.version, pdb = spec.pdb } = configuration;
  const values = nextValues(spec, configuration);
  const secretRefs = nextSecretRefs(spec, configuration);
  return {
    ...without(spec, 'version', 'values', 'secretRefs', 'pdb'),
    source,
    ...(version === undefined || version === null ? {} : { version }),
    ...(values === undefined ? {} : { values }),
    ...(secretRefs === undefined ? {} : { secretRefs: [...secretRefs] }),
    ...(pdb === undefined || pdb === null ? {} : { pdb }),
  };
}

function nextValues(spec: ComponentSpec, { values, withoutValues = [] }: Configuration): ComponentSpec['values'] {
  const next = values?.mode === 'merge' ? merged(spec.values ?? {}, values.values) : (values?.values ?? spec.values);
  return withoutValues.reduce<ComponentSpec['values']>(
    (left, path) => (left === undefined ? undefined : cut(left, path.split('.'))),
    next,
  );
}

/** Objects are merged, all else takes the place of what was there. A null stays one: charts know by it what to leave out. */
function merged(
  before: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(more).map(([key, value]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, isRecord(old) && isRecord(value) ? merged(old, value) : value] as const;
  });
  return Object.fromEntries([...Object.entries(before), ...entries]);
}

/** Values without the one at a path; objects that are empty then stay, for charts may tell them from none. */
function cut(values: Readonly<Record<string, unknown>>, [name = '', ...rest]: readonly string[]) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
      if (key !== name) return [[key, value]];
      if (rest.length === 0) return [];
      return [[key, isRecord(value) ? cut(value, rest) : value]];
    }),
  );
}

function nextSecretRefs(spec: ComponentSpec, { secretRefs }: Configuration): ComponentSpec['secretRefs'] {
  if (secretRefs === undefined) return spec.secretRefs;
  if (secretRefs.mode === 'replace') return secretRefs.refs;
  const paths = new Set(secretRefs.refs.map(({ valuePath }) => valuePath));
  return [...(spec.secretRefs ?? []).filter(({ valuePath }) => !paths.has(valuePath)), ...secretRefs.refs];
}

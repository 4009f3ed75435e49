import type { ManagedComponent } from '../../../../core/components';

const LOCAL = {
  name: 'Local Chart',
  value: 'local',
  description: 'A folder or archive of the charts folder of the operator',
} as const;
const OCI = { name: 'OCI Registry', value: 'oci', description: 'A chart of a registry, pinned by its digest' } as const;

const PATH_FIELD = {
  displayName: 'Chart',
  name: 'chartPath',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. web-1.2.0.tgz',
  description: 'The path of the chart below the charts folder of the operator',
  displayOptions: { show: { chartFrom: ['local'] } },
} as const;

const REFERENCE_FIELD = {
  displayName: 'Reference',
  name: 'ociRef',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. oci://registry.example/charts/web@sha256:…',
  description: 'The chart with its digest; a tag is not enough. The operator must be allowed to use the registry.',
  displayOptions: { show: { chartFrom: ['oci'] } },
} as const;

/** The chart of a new component. */
export const CHART_FIELDS = [
  {
    displayName: 'Chart From',
    name: 'chartFrom',
    type: 'options',
    default: 'local',
    description: 'Where the chart is',
    options: [LOCAL, OCI],
  },
  PATH_FIELD,
  REFERENCE_FIELD,
  {
    displayName: 'Version',
    name: 'version',
    type: 'string',
    default: '',
    placeholder: 'e.g. 1.2.0',
    description: 'The version the chart must have; any when empty',
  },
] as const;

/** The chart of a component that has one. */
export const OTHER_CHART_FIELDS = [
  {
    displayName: 'Chart From',
    name: 'chartFrom',
    type: 'options',
    default: 'keep',
    description: 'Where the chart is',
    options: [{ name: 'As It Is', value: 'keep', description: 'The same chart as before' }, LOCAL, OCI],
  },
  PATH_FIELD,
  REFERENCE_FIELD,
  {
    displayName: 'Version',
    name: 'version',
    type: 'string',
    default: '',
    placeholder: 'e.g. 1.2.0',
    description: 'The version the chart must have: as it is when empty, any with *',
  },
] as const;

type Source = ManagedComponent['spec']['source'];

/** The chart that was chosen; undefined: the one there is. Its form is checked with the rest of the spec. */
export function sourceOf(parameters: {
  readonly chartFrom: 'keep' | 'local' | 'oci';
  readonly chartPath: string;
  readonly ociRef: string;
}): Source | undefined {
  if (parameters.chartFrom === 'keep') return undefined;
  if (parameters.chartFrom === 'local') return { chart: { path: parameters.chartPath.trim() } };
  return { oci: { ref: parameters.ociRef.trim() } };
}

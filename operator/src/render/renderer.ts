import { createHash } from 'node:crypto';
import type { Clock } from '../../../core/clock';
import { ManifestError, readManifest } from '../../../core/manifest';
import { LruCache } from '../cache';
import { ChartError, renderFailed, type Chart, type ChartSource } from '../charts';
import type { Capabilities } from './capabilities';
import { doubtOf, requireSame } from './determinism';
import { TemplateFolder, type TemplateInput } from './helmTemplate';
import { HELM_VERSION, type RenderPrograms } from './programs';
import { renderingsAtOnce, Slots } from './slots';
import { valuesFile } from './values';

/** What to render. */
export interface RenderRequest {
  readonly source: ChartSource;
  /** The version that the chart must have. */
  readonly version?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  /** The name of the component. */
  readonly name: string;
  readonly namespace: string;
  readonly capabilities: Capabilities;
}

/** What a chart rendered. */
export interface Rendering {
  readonly chart: { readonly name: string; readonly version: string; readonly digest: string };
  /** Parsed as Kubernetes parses YAML; nobody has looked at them yet. */
  readonly documents: readonly unknown[];
  /** The size of the text they were parsed from. */
  readonly bytes: number;
}

/** What rendering stands on. */
export interface RendererOptions {
  readonly charts: { chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> };
  readonly programs: RenderPrograms;
  readonly clock: Clock;
  /** Ends whatever is under way. */
  readonly signal?: AbortSignal;
  /** Default: one rendering a core, and no more than memory allows. */
  readonly concurrency?: number;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** Where charts are written to while they are rendered. Default: the folder for temporary files. */
  readonly workDir?: string;
}

/** The most bytes of rendered text whose objects are remembered. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** What an entry costs beside its text. */
const ENTRY_OVERHEAD = 1_024;
/** The most charts that are known to have been rendered twice. */
const MAX_SEEN = 4_096;
/** The longest namespace and the longest name of a release that helm takes. */
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const MAX_NAME = 53;

/**
 * Renders the charts of components. The same is rendered once: what comes out is remembered by everything that goes in.
 * Each new chart is rendered twice, and each new set of values of a chart that could render something else each time: such
 * a chart would change the objects at each look.
 */
export class Renderer {
  private readonly cache = new LruCache<Rendering>(MAX_CACHED_BYTES);
  private readonly underWay = new Map<string, Promise<Rendering>>();
  private readonly seen = new LruCache<true>(MAX_SEEN);
  private readonly slots: Slots;

  constructor(private readonly options: RendererOptions) {
    this.slots = new Slots(options.concurrency ?? renderingsAtOnce());
  }

  /** @throws ChartError */
  async render(request: RenderRequest): Promise<Rendering> {
    const { name, namespace, capabilities, version } = request;
    if (!NAME.test(name) || name.length > MAX_NAME || !NAME.test(namespace)) {
      throw renderFailed('The name of the component or of its namespace cannot be the name of a release.');
    }
    const chart = await this.options.charts.chart(request.source, this.options.signal);
    if (version !== undefined && version !== chart.version) {
      throw new ChartError('VersionMismatch', `The chart has another version than ${version}.`);
    }
    const input: TemplateInput = { chart, name, namespace, capabilities, values: valuesFile(request.values) };
    const key = keyOf(input);
    const known = this.cache.get(key) ?? this.underWay.get(key);
    if (known !== undefined) return known;
    const rendering = this.slots.run(() => this.renderNow(key, input));
    this.underWay.set(key, rendering);
    try {
      return await rendering;
    } finally {
      this.underWay.delete(key);
    }
  }

  private async renderNow(key: string, input: TemplateInput): Promise<Rendering> {
    const { programs, workDir, timeoutMs, maxOutputBytes, signal } = this.options;
    const means = { programs, workDir, timeoutMs, maxOutputBytes, signal };
    return TemplateFolder.use(input, means, async (folder) => {
      const text = await folder.render();
      const documents = parse(text);
      await this.requireSteady(folder, input, documents);
      const { name, version, digest } = input.chart;
      const rendering = { chart: { name, version, digest }, documents, bytes: text.length };
      this.cache.set(key, rendering, text.length + ENTRY_OVERHEAD);
      return rendering;
    });
  }

  private async requireSteady(
    folder: TemplateFolder,
    { chart, values }: TemplateInput,
    documents: readonly unknown[],
  ): Promise<void> {
    const { unsteady, bySeconds } = doubtOf(chart.files, values);
    if (!unsteady && this.seen.get(chart.digest) === true) return;
    if (bySeconds) await this.options.clock.sleep(1_000, this.options.signal);
    requireSame(documents, parse(await folder.render('distant')));
    this.seen.set(chart.digest, true, 1);
  }
}

function parse(text: string): readonly unknown[] {
  try {
    return readManifest(text);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw renderFailed(`What the chart renders ${error.problem}.`);
  }
}

/** Everything that can make a difference. */
function keyOf({ chart, name, namespace, capabilities, values }: TemplateInput): string {
  const parts = [
    HELM_VERSION,
    chart.digest,
    name,
    namespace,
    capabilities.kubeVersion,
    capabilities.apiVersions,
    values,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

import { LruCache } from '../cache';
import { chartOfArchive, chartOfFiles, type Chart } from './chart';
import { listChart, readListing, type Listing } from './folder';

/** Where the chart of a component is, as its spec says. */
export interface ChartSource {
  readonly chart?: { readonly path: string } | undefined;
  readonly oci?: { readonly ref: string } | undefined;
}

/** Where charts are taken from. */
export interface ChartStoreOptions {
  readonly chartsDir: string;
  readonly registry: { fetch(ref: string, signal?: AbortSignal): Promise<Chart> };
}

/** The most bytes of charts that are remembered. */
const MAX_CACHED_BYTES = 48 * 1024 * 1024;
/** What a file costs beside what it holds. */
const FILE_OVERHEAD = 512;

/** Gives charts, each read or fetched once as long as it is the same. */
export class ChartStore {
  private readonly cache = new LruCache<Chart>(MAX_CACHED_BYTES);
  private readonly underWay = new Map<string, Promise<Chart>>();

  constructor(private readonly options: ChartStoreOptions) {}

  /** @throws ChartError */
  async chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> {
    const { chart, oci } = source;
    if (oci !== undefined) return this.once(oci.ref, () => this.options.registry.fetch(oci.ref, signal));
    const path = chart?.path ?? '';
    const listing = await listChart(this.options.chartsDir, path);
    return this.once(`${path}\n${listing.fingerprint}`, () => read(listing));
  }

  private async once(key: string, make: () => Promise<Chart>): Promise<Chart> {
    const known = this.cache.get(key) ?? this.underWay.get(key);
    if (known !== undefined) return known;
    const making = make();
    this.underWay.set(key, making);
    try {
      const chart = await making;
      this.cache.set(key, chart, weightOf(chart));
      return chart;
    } finally {
      this.underWay.delete(key);
    }
  }
}

async function read(listing: Listing): Promise<Chart> {
  const files = await readListing(listing);
  const [archive] = listing.kind === 'archive' ? files.values() : [];
  return archive === undefined ? chartOfFiles(files) : chartOfArchive(archive);
}

function weightOf({ files }: Chart): number {
  let bytes = 0;
  for (const content of files.values()) bytes += content.length + FILE_OVERHEAD;
  return bytes;
}

import { isRecord } from '../../../core/kube';
import { ManifestError, readManifest } from '../../../core/manifest';
import { unpackArchive } from './archive';
import { renderFailed, shownName } from './error';
import { digestOfFiles, FileBudget, type ChartFiles } from './files';
import { checkSchemas } from './schema';

/** A chart that may be rendered: plain files, every subchart unpacked, nothing that leads elsewhere. */
export interface Chart {
  readonly name: string;
  readonly version: string;
  /** `sha256:…`: of the manifest for a chart of a registry, else of the files. */
  readonly digest: string;
  readonly files: ChartFiles;
}

/** Helm 4.1.4 takes these for names, and joins them to paths. */
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,252}$/;
const VERSION = /^[0-9A-Za-z.+-]{1,128}$/;
/** How deep charts may hold charts. */
const MAX_NESTING = 8;

/** @throws ChartError */
export async function chartOfArchive(archive: Buffer, digest?: string): Promise<Chart> {
  const { folder, files } = await unpackArchive(archive);
  const chart = await chartOfFiles(files, digest);
  if (chart.name !== folder) throw renderFailed('The folder in the archive is not named like the chart.');
  return chart;
}

/**
 * Checks the files of a chart.
 *
 * @param digest of the manifest that names the chart; default: the digest of the files
 * @throws ChartError
 */
export async function chartOfFiles(given: ChartFiles, digest?: string): Promise<Chart> {
  const files = await withoutArchives(given);
  const description = describe(files);
  const { name, version } = description;
  if (typeof name !== 'string' || !NAME.test(name)) throw renderFailed('Chart.yaml has no valid name.');
  if (typeof version !== 'string' || !VERSION.test(version)) throw renderFailed('Chart.yaml has no valid version.');
  if (description.type === 'library') {
    throw renderFailed('The chart is a library: it is for other charts and renders nothing itself.');
  }
  checkSchemas(files);
  return { name, version, digest: digest ?? digestOfFiles(files), files };
}

/** Archives below `charts/` become folders, so that helm reads nothing but files that were looked at here. */
async function withoutArchives(given: ChartFiles): Promise<ChartFiles> {
  const budget = new FileBudget();
  const files = new Map<string, Buffer>();
  const waiting = [...given].map(([path, bytes]) => ({ path, bytes, nesting: 0 }));
  // The last first: what an archive holds is counted before the next one is unpacked.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, bytes, nesting } = next;
    budget.take(path, bytes.length);
    if (!ARCHIVE.test(path)) {
      if (files.has(path)) throw renderFailed(`The chart has ${shownName(path)} twice.`);
      files.set(path, bytes);
      continue;
    }
    if (nesting >= MAX_NESTING) throw renderFailed(`The chart holds charts in more than ${MAX_NESTING} levels.`);
    // Helm goes by the name in Chart.yaml; the name of the folder must only be one of its own.
    const folder = path.replace(/[.]tgz$/, '-tgz');
    for (const [below, content] of (await unpackArchive(bytes)).files) {
      waiting.push({ path: `${folder}/${below}`, bytes: content, nesting: nesting + 1 });
    }
  }
  return files;
}

/** An archive where helm looks for subcharts; anywhere else it is a file like others. */
const ARCHIVE = /^(?:charts\/[^/]+\/)*charts\/[^/]+\.tgz$/;

type Fields = Readonly<Record<string, unknown>>;

function describe(files: ChartFiles): Fields {
  const bytes = files.get('Chart.yaml');
  if (bytes === undefined) throw renderFailed('There is no Chart.yaml: this is no chart.');
  try {
    const [document] = readManifest(bytes.toString('utf8'));
    if (isRecord(document)) return document;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw renderFailed(`Chart.yaml ${error.problem}.`);
  }
  throw renderFailed('Chart.yaml is empty.');
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { renderFailed, type Chart } from '../charts';
import type { Capabilities } from './capabilities';
import { helmFault } from './helmFault';
import type { RenderPrograms } from './programs';
import { runSandboxed } from './sandbox';
import { distantTimeZone } from './timeZone';

/** What a chart is rendered with. */
export interface TemplateInput {
  readonly chart: Chart;
  readonly name: string;
  readonly namespace: string;
  readonly capabilities: Capabilities;
  /** What `valuesFile` made. */
  readonly values: string;
}

/** How helm is run. */
export interface TemplateMeans {
  readonly programs: RenderPrograms;
  /** Where charts are written to while they are rendered. Default: the folder for temporary files. */
  readonly workDir?: string | undefined;
  /** Default 20 s. */
  readonly timeoutMs?: number | undefined;
  /** Default 8 MiB. */
  readonly maxOutputBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
/** A name of an API in an argument: bounded, so that the arguments always fit. */
const API = /^[\w./-]{1,200}$/;

/**
 * One chart in a folder of its own, to be rendered as often as is needed: helm sees files that were written here and
 * nothing else, by `helm template`, which knows no cluster.
 */
export class TemplateFolder {
  private constructor(
    private readonly folder: string,
    private readonly input: TemplateInput,
    private readonly means: TemplateMeans,
  ) {}

  /** Uses a folder and removes it. */
  static async use<T>(
    input: TemplateInput,
    means: TemplateMeans,
    work: (folder: TemplateFolder) => Promise<T>,
  ): Promise<T> {
    const folder = await mkdtemp(join(means.workDir ?? tmpdir(), 'navin-render-'));
    try {
      await layOut(folder, input);
      return await work(new TemplateFolder(folder, input, means));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * What the chart renders, as text.
   *
   * @param zone `distant` is a time zone in which all dates differ
   * @throws ChartError
   */
  async render(zone: 'utc' | 'distant' = 'utc'): Promise<string> {
    const { name, namespace, capabilities } = this.input;
    const { programs, timeoutMs = TIMEOUT_MS, maxOutputBytes = MAX_OUTPUT_BYTES, signal } = this.means;
    const apis = capabilities.apiVersions.filter((api) => API.test(api));
    const empty = join(this.folder, 'empty');
    const result = await runSandboxed({
      prlimit: programs.prlimit,
      program: programs.helm,
      args: [
        ...['template', name, join(this.folder, 'chart'), '--namespace', namespace, '--skip-tests'],
        ...['--values', join(this.folder, 'values.json'), '--kube-version', capabilities.kubeVersion],
        ...apis.flatMap((api) => ['--api-versions', api]),
      ],
      cwd: empty,
      env: {
        HELM_CACHE_HOME: empty,
        HELM_CONFIG_HOME: empty,
        HELM_DATA_HOME: empty,
        HELM_PLUGINS: empty,
        // There are as many renderings at once as cores. Go also takes address space for each thread.
        GOMAXPROCS: '1',
        // Most renderings end before there is anything worth collecting; a large one collects from here on.
        GOGC: 'off',
        GOMEMLIMIT: '256MiB',
        TZ: zone === 'utc' ? 'UTC' : join(this.folder, 'zone'),
      },
      timeoutMs,
      maxOutputBytes,
      signal,
    });
    if (result.ended !== 'exit' || result.exitCode !== 0) throw helmFault(result);
    return result.stdout.toString('utf8');
  }
}

async function layOut(folder: string, { chart, values }: TemplateInput): Promise<void> {
  const chartFolder = join(folder, 'chart');
  const folders = new Set([join(folder, 'empty'), chartFolder]);
  for (const path of chart.files.keys()) folders.add(dirname(join(chartFolder, path)));
  try {
    for (const each of folders) await mkdir(each, { recursive: true });
    for (const [path, bytes] of chart.files) await writeFile(join(chartFolder, path), bytes, { flag: 'wx' });
    await writeFile(join(folder, 'values.json'), values, { mode: 0o600 });
    await writeFile(join(folder, 'zone'), distantTimeZone());
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
    throw renderFailed(`The files of the chart cannot be written (${code}).`, { cause: error });
  }
}

// What n8n gives a node that runs, as far as the programs beside this file use it: parameters, a credential, and files that
// are kept outside of the memory, as n8n does by default.
const { mkdtempSync, readFileSync, rmSync, statSync } = require('node:fs');
const { writeFile } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { BENCH_KUBECONFIG, BENCH_SERVER, BENCH_NAMESPACE } = process.env;
const kubeconfig = readFileSync(BENCH_KUBECONFIG, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'navin-bench-files-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});
let files = 0;

/** Keeps a file as n8n's binary data service does: it is on the disk when this resolves, and nothing of it in the memory. */
async function prepareBinaryData(data, fileName, mimeType) {
  files += 1;
  const id = join(folder, String(files));
  await writeFile(id, data);
  return { data: 'filesystem-v2', id, fileName, mimeType, bytes: statSync(id).size };
}

/** A locator by name. */
exports.named = (value) => ({ __rl: true, mode: 'name', value });

/** What `execute` of a node is called on. */
exports.context = (parameters) => {
  const node = {
    id: '1',
    name: 'Kubernetes',
    type: 'kubernetes',
    typeVersion: 1,
    position: [0, 0],
    parameters,
    credentials: { navinKubernetesApi: { id: 'bench', name: 'bench' } },
  };
  return {
    getInputData: () => [{ json: {} }],
    getNode: () => node,
    getNodeParameter: (name, index, fallback, options) => {
      const value = parameters[name];
      if (value === undefined) return fallback;
      return options?.extractValue && value !== null && typeof value === 'object' && value.__rl ? value.value : value;
    },
    getCredentials: async () => ({
      authentication: 'kubeconfig',
      kubeconfig,
      apiServer: BENCH_SERVER,
      namespace: BENCH_NAMESPACE,
      rightsToCheck: ['read'],
    }),
    getWorkflow: () => ({ id: 'bench', name: 'bench', active: false }),
    getExecutionCancelSignal: () => undefined,
    continueOnFail: () => false,
    addExecutionHints() {},
    helpers: { prepareBinaryData },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
};

/** The middle of some numbers. */
exports.median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A size of this process, in MiB, as the kernel knows it: `VmRSS`, or `VmHWM` for the most of it so far. */
exports.memory = (name) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;

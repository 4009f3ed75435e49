import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';
import { globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The nouns of core/ and what each may import, lowest first. Imports point one way: nodes, credentials and companions
 * to core; inside core along this table; always through a noun's index, never into its files.
 */
const CORE_IMPORTS = {
  errors: [],
  clock: [],
  egress: ['errors'],
  manifest: ['errors'],
  tar: ['errors'],
  kubeconfig: ['errors', 'egress'],
  kube: ['errors', 'egress', 'kubeconfig'],
  machine: ['errors', 'kube'],
  inventory: ['errors', 'kube', 'machine'],
  trigger: ['errors', 'clock', 'kube'],
  controller: ['errors', 'clock', 'kube'],
  components: ['errors', 'kube', 'manifest'],
  mcp: ['errors', 'kube', 'components'],
};

const N8N = { group: ['n8n-workflow', 'n8n-core', 'n8n'], message: 'core and the tests of core know nothing of n8n.' };

function coreBoundary([noun, allowed]) {
  const forbidden = Object.keys(CORE_IMPORTS).filter((other) => other !== noun && !allowed.includes(other));
  const patterns = [
    N8N,
    {
      group: ['**/nodes/**', '**/credentials/**', '**/operator/**', '**/agent/**', '**/manager/**', '**/console/**'],
      message: 'Imports point from nodes, credentials and companions to core, never back.',
    },
    {
      group: Object.keys(CORE_IMPORTS)
        .filter((other) => other !== noun)
        .map((other) => `../${other}/*`),
      message: 'Import another noun of core through its index.',
    },
  ];
  if (forbidden.length > 0) {
    patterns.push({
      regex: `^\\.\\./(${forbidden.join('|')})$`,
      message: `core/${noun} may import only: ${allowed.join(', ') || 'no other noun'}.`,
    });
  }
  return {
    files: [`core/${noun}/**/*.ts`],
    // Tests may use the disposable cluster and the fault server.
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  };
}

/** The n8n rules, kept to what is published and loaded by n8n (and to package.json). */
const n8nRules = configWithoutCloudSupport.map((config) =>
  config.files?.includes('**/*.ts') ? { ...config, files: ['nodes/**/*.ts', 'credentials/**/*.ts'] } : config,
);

export default tseslint.config(
  globalIgnores(['**/dist', 'coverage', '**/node_modules']),
  ...n8nRules,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['scripts/**/*.ts', 'bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  ...Object.entries(CORE_IMPORTS).map(coreBoundary),
  {
    files: ['operator/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            N8N,
            { group: ['**/core/*/*', '!**/core/*/testing'], message: 'Import a noun of core through its index.' },
            { group: ['**/nodes/**', '**/credentials/**'], message: 'The operator knows nothing of nodes.' },
            {
              group: ['../{cache,charts,control,manifests,oci,program,render,telemetry}/*'],
              message: 'Import another noun through its index.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/core/*/*'], message: 'Import a noun of core through its index.' },
            { group: ['axios', 'js-yaml'], message: 'Only core talks to the network and parses YAML.' },
          ],
        },
      ],
    },
  },
);

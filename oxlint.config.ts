// The lint: which rules hold, and who may import whom. `mayImport` is the table of docs/architecture.md; the rules on
// imports are made from it, and test/e2e/import-rules.test.ts plants a forbidden import for each kind of row.

import { defineConfig, type OxlintOverride } from 'oxlint'

type Row = {
  /** Folders of `src` from which anything may be imported. */
  readonly any: readonly string[]
  /** Folders of `src` from which types may be imported, and nothing that runs. */
  readonly types?: readonly string[]
}

const features = ['requests', 'models', 'projects', 'people', 'notifications', 'jobs', 'automations', 'analytics']
const engines = ['git', 'forge', 'agent', 'docs-syntax', 'sites', 'checks', 'affected', 'grounding', 'preview']
const infrastructure = ['lib', 'postgres', 'clickhouse', 'secrets']

/** `config`, `service`, `cli` and `main.ts` may import everything, and nobody else may import them. */
const mayImport: Readonly<Record<string, Row>> = {
  lib: { any: [] },
  postgres: { any: ['lib'] },
  clickhouse: { any: ['lib'] },
  'time-guard': { any: ['lib', 'postgres'] },
  secrets: { any: ['lib', 'postgres'] },
  git: { any: ['lib'] },
  forge: { any: ['lib', 'postgres'], types: ['git'] },
  agent: { any: ['lib', 'docs-syntax', 'sites'] },
  'docs-syntax': { any: ['lib'] },
  sites: { any: ['lib', 'docs-syntax'] },
  checks: { any: ['lib', 'docs-syntax', 'sites'] },
  affected: { any: ['lib', 'docs-syntax'] },
  preview: { any: ['lib', 'docs-syntax'] },
  grounding: { any: ['lib', 'docs-syntax'] },
  requests: { any: ['lib', 'postgres'] },
  models: { any: [...infrastructure, 'agent'] },
  projects: { any: [...infrastructure, ...engines, 'requests'], types: features },
  people: { any: ['lib', 'postgres', 'requests'], types: ['projects'] },
  // Knows what it sends, and not what jobs and automations are.
  notifications: { any: ['lib', 'postgres', 'secrets', 'requests', 'projects', 'people'] },
  jobs: { any: [...infrastructure, ...engines, 'requests', 'notifications'], types: features },
  // Starts jobs, and knows no forge. What it reads of repositories it is given.
  automations: {
    any: ['lib', 'postgres', 'secrets', 'requests', 'projects', 'notifications', 'jobs', 'docs-syntax'],
    types: ['git', 'checks', 'agent'],
  },
  analytics: { any: [...infrastructure, ...engines, 'requests'], types: features },
  // Knows the API by its paths alone.
  mcp: { any: ['lib'] },
  http: {
    any: ['lib', 'sites', 'checks', 'forge', 'time-guard', 'mcp', ...features],
    types: ['git', 'agent', 'affected', 'preview'],
  },
}

const restricted = [...Object.keys(mayImport), 'config', 'service', 'cli', 'main.ts']

function importRule(folder: string, { any, types = [] }: Row): OxlintOverride {
  const allowed = new Set([folder, ...any])
  const typesOnly = types.filter((name) => !allowed.has(name))
  const forbidden = restricted.filter((name) => !allowed.has(name) && !typesOnly.includes(name))
  const see = 'docs/architecture.md has the table.'
  const patterns = [
    { group: forbidden.map(toPattern), message: `${folder} may not import this: ${see}` },
    ...(typesOnly.length === 0
      ? []
      : [
          {
            group: typesOnly.map(toPattern),
            allowTypeImports: true,
            message: `${folder} may import only types from here: ${see}`,
          },
        ]),
  ]
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { 'typescript/no-restricted-imports': ['error', { patterns }] },
  }
}

function toPattern(name: string): string {
  return name.endsWith('.ts') ? `**/${name}` : `**/${name}/**`
}

const besideQueue = ['../*.ts', '../run/**', '../events/**', '../upkeep/**']

/** The queue could run anything: it knows neither what a run is nor what a job is. */
const queueAlone: OxlintOverride = {
  files: ['src/jobs/queue/**/*.ts'],
  rules: {
    'typescript/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [...besideQueue, ...restricted.filter((name) => !['lib', 'postgres'].includes(name)).map(toPattern)],
            message: 'jobs/queue may import only lib and postgres: docs/architecture.md says why.',
          },
        ],
      },
    ],
  },
}

const clientAlone: OxlintOverride = {
  // The client is built and installed without the service.
  files: ['client/**/*.ts'],
  rules: {
    'typescript/no-restricted-imports': [
      'error',
      { patterns: [{ group: ['**/src/**'], message: 'client may not import from the service.' }] },
    ],
  },
}

/** Shared by the features of the dashboard, and without knowledge of them. */
const shared = ['api', 'ui', 'chart', 'diff', 'preview', 'prose', 'review']

const service = {
  group: [
    '**/src/**',
    '**/test/**',
    '!**/client/src/api/types.gen.ts',
    '!**/src/lib/plain-text.ts',
    '!**/src/analytics/collect/site-tag.ts',
  ],
  message: 'The dashboard knows the service by its API alone.',
}

function dashboardRule(files: readonly string[], regex: string, message: string): OxlintOverride {
  return {
    files: files.map((path) => `dashboard/src/${path}/*.{ts,tsx}`),
    rules: { 'typescript/no-restricted-imports': ['error', { patterns: [service, { regex, message }] }] },
  }
}

const onlyTheImport = {
  group: ['**/src/**', '!**/src/analytics/import/**', '!**/src/analytics/page-view.ts', '!**/src/lib/failure.ts'],
  message: 'Of the service, this may use the import of logs.',
}

/** A feature is one folder: what two of them need goes to a shared folder. */
const dashboardAlone: readonly OxlintOverride[] = [
  dashboardRule(
    shared.map((name) => `${name}/**`),
    String.raw`/(?:features|routes)/|/router\.tsx$`,
    'features use this, not the reverse.',
  ),
  dashboardRule(['features/*'], String.raw`^\.\./[a-z]`, 'A feature may not import another one.'),
  dashboardRule(['features/*/*/**'], String.raw`^\.\./\.\./[a-z]`, 'A feature may not import another one.'),
  // A log is read where it is, by the parser of the command line.
  {
    files: ['dashboard/src/features/import/worker/*.ts'],
    rules: { 'typescript/no-restricted-imports': ['error', { patterns: [onlyTheImport] }] },
  },
]

const dashboard: OxlintOverride = {
  files: ['dashboard/**/*.{ts,tsx}'],
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
  rules: {
    'react/react-in-jsx-scope': 'off',
    // The cells of a table and the parts of a dialog are functions in properties.
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    // A dependency that an effect does not read may be there to start it again.
    'react/exhaustive-effect-dependencies': 'off',
    // These two are about the React compiler, which is not used.
    'react/incompatible-library': 'off',
    'react/purity': 'off',
    // The first field of a page that is one form.
    'jsx-a11y/no-autofocus': 'off',
    // What scrolls must be reachable by keyboard, which axe checks in the pages themselves.
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
  },
}

// oxlint-disable-next-line import/no-default-export -- oxlint reads the default export
export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  jsPlugins: ['./scripts/lint/plugin.ts'],
  options: { typeAware: true },
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: [
    'examples/docs/**',
    'node_modules/**',
    'test/clients/{src,generated*}/**',
    'dashboard/dist/**',
    'client/src/api/types.gen.ts',
  ],
  rules: {
    'eslint/max-lines': ['error', { max: 300, skipComments: true, skipBlankLines: true }],
    'eslint/max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
    'eslint/max-params': ['error', { max: 4 }],
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-console': 'error',
    'docent/text-for-people': 'error',
    'docent/whole-characters': 'error',
    'eslint/no-restricted-globals': [
      'error',
      { name: 'process', message: 'src/config/environment.ts and src/main.ts meet the process; pass the value in.' },
    ],
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-mutable-exports': 'error',
    'oxc/no-barrel-file': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: ['node:test', '@types/node'].map((name) => ({
          from: 'package',
          package: name,
          name: ['test', 'suite', 'describe'],
        })),
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/prefer-set-has': 'off',
    'eslint/no-control-regex': 'off',
  },
  overrides: [
    ...Object.entries(mayImport).map(([folder, row]) => importRule(folder, row)),
    queueAlone,
    clientAlone,
    dashboard,
    ...dashboardAlone,
    { files: ['dashboard/vite.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['tracker/**'], rules: { 'eslint/no-console': 'off' } },
    {
      files: [
        'src/main.ts',
        'src/config/environment.ts',
        'src/git/transport/run.ts',
        'src/http/server/server.ts',
        'test/**',
        'bench/**',
        'scripts/**',
        'integrations/**',
        'dashboard/{build/*,vite.config}.ts',
        'examples/traffic/generate.ts',
        '**/*.test.ts',
      ],
      rules: { 'eslint/no-restricted-globals': 'off' },
    },
    // What it records is read from bytes and stored as bytes; what the policy reads is only looked at.
    {
      files: ['src/analytics/**', 'src/http/resources/collect/**', 'src/jobs/policy/**', 'client/**'],
      rules: { 'docent/whole-characters': 'off' },
    },
    { files: ['src/**/*.ts'], rules: { 'docent/site-names': 'error' } },
    // The policy says what runs or loads.
    // Drift knows common commands, among which are generators, and the folders in which docs usually are.
    {
      files: ['src/sites/**', 'src/jobs/policy/site-code.ts', 'src/checks/drift/{others,sources/product-files}.ts'],
      rules: { 'docent/site-names': 'off' },
    },
    {
      files: ['**/*.test.ts', 'test/**', 'bench/**', 'scripts/**', 'integrations/**'],
      rules: {
        'docent/site-names': 'off',
        'docent/whole-characters': 'off',
        'typescript/no-restricted-imports': 'off',
        'eslint/no-console': 'off',
        'eslint/max-lines-per-function': 'off',
      },
    },
  ],
})

// The rules of the tree. Who may import whom: each rule of docs/architecture.md is proved by a planted fault. How many
// files a folder holds, and which clock the tests of analytics read.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { siteKinds } from '../../src/sites/kinds.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const refused: readonly (readonly [folder: string, line: string])[] = [
  ['lib', "import { a } from '../jobs/a.ts'"],
  ['lib', "import type { a } from '../postgres/a.ts'"],
  ['postgres', "import { a } from '../jobs/a.ts'"],
  ['clickhouse', "import type { a } from '../analytics/a.ts'"],
  ['git', "import type { a } from '../agent/a.ts'"],
  ['git/read', "import { a } from '../../postgres/a.ts'"],
  ['agent/tools', "import { a } from '../../git/a.ts'"],
  ['docs-syntax', "import { a } from '../agent/a.ts'"],
  ['preview', "import type { a } from '../git/a.ts'"],
  ['forge/own', "import { a } from '../../git/a.ts'"],
  ['requests', "import type { a } from '../jobs/a.ts'"],
  ['projects', "import { a } from '../jobs/a.ts'"],
  ['jobs', "import { a } from '../http/a.ts'"],
  ['jobs', "export { a } from '../projects/a.ts'"],
  ['jobs/run', "import { a } from '../../config/a.ts'"],
  ['jobs/queue', "import type { a } from '../../git/a.ts'"],
  ['jobs/queue', "import type { a } from '../job.ts'"],
  ['jobs/queue', "import { a } from '../run/a.ts'"],
  ['automations', "import type { a } from '../forge/a.ts'"],
  ['analytics/counts/query', "import { a } from '../../../jobs/a.ts'"],
  ['forge', "import { a } from '../service/a.ts'"],
  ['http', "import type { a } from '../postgres/a.ts'"],
  ['http', "import { a } from '../git/a.ts'"],
  ['http', "const { a } = await import('../git/a.ts')"],
  ['client', "import type { a } from '../../src/analytics/a.ts'"],
  ['dashboard/features/home', "import { a } from '../jobs/a.tsx'"],
  ['dashboard/features/jobs/form', "import { a } from '../../job/a.ts'"],
  ['dashboard/features/home', "import type { a } from '../../../../src/jobs/response.ts'"],
  ['dashboard/features/import/worker', "import { a } from '../../../../../src/jobs/a.ts'"],
  ['dashboard/ui', "import { a } from '../features/jobs/a.ts'"],
  ['dashboard/api', "import { a } from '../router.tsx'"],
]
const allowed: readonly (readonly [folder: string, line: string])[] = [
  ['jobs', "import { a } from '../git/a.ts'"],
  ['jobs', "import type { a } from '../projects/a.ts'"],
  ['jobs/queue', "import { a } from '../../lib/a.ts'"],
  ['jobs/queue', "import type { a } from './a.ts'"],
  ['forge/own', "import type { a } from '../../git/a.ts'"],
  ['automations', "import { a } from '../jobs/a.ts'"],
  ['http', "import { a } from '../jobs/a.ts'"],
  ['http/resources/jobs', "import { a } from '../../../jobs/a.ts'"],
  ['preview', "import { a } from '../docs-syntax/a.ts'"],
  ['http', "import type { a } from '../git/a.ts'"],
  ['cli', "import { a } from '../service/a.ts'"],
  ['client', "import { a } from './a.ts'"],
  ['dashboard/features/jobs/form', "import { a } from '../a.ts'"],
  ['dashboard/features/jobs', "import { a } from '../../ui/button.tsx'"],
  ['dashboard/features/import/worker', "import { a } from '../../../../../src/analytics/import/a.ts'"],
  ['dashboard/routes', "import { a } from '../features/jobs/a.ts'"],
]

test('the lint refuses each import that the architecture forbids, and no other', async (t) => {
  const folder = await copyConfiguration(t)
  const name = ([at]: readonly [string, string], kind: string, n: number) => `${folderOf(at)}/${kind}-${n}.ts`
  for (const [kind, rows] of [
    ['refused', refused],
    ['allowed', allowed],
  ] as const) {
    for (const [n, row] of rows.entries()) await plant(folder, name(row, kind, n), row[1])
  }
  const found = await lint(folder, 'no-restricted-imports')
  assert.deepEqual(found.toSorted(), refused.map((row, n) => name(row, 'refused', n)).toSorted())
})

test('the lint refuses a cycle that only types close', async (t) => {
  const folder = await copyConfiguration(t)
  await plant(folder, 'src/lib/a.ts', "import type { B } from './b.ts'\nexport type A = B")
  await plant(folder, 'src/lib/b.ts', "import type { A } from './a.ts'\nexport type B = A")
  assert.deepEqual((await lint(folder, 'no-cycle')).toSorted(), ['src/lib/a.ts', 'src/lib/b.ts'])
})

test('the lint refuses to read text that is made for people', async (t) => {
  const folder = await copyConfiguration(t)
  const day = "new Intl.DateTimeFormat('en', { dateStyle: 'short' })"
  const refused = [
    "export const a = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' }).format(0)",
    `export const a = new Date(${day}.format(0))`,
    `export const a = Date.parse(\`\${${day}.format(0)}Z\`)`,
    `const a = ${day}\nconst b = a.format(0)\nexport const c = b.split('/')`,
    `const a = ${day}.format(0)\nexport const b = a === '3/1/26'`,
    'export const a = Number((5).toLocaleString())',
    "export const a = new Date(0).toLocaleDateString('sv')",
  ]
  const allowed = [
    `export const a = \`Until \${${day}.format(0)}\``,
    `export const a = ${day}.formatToParts(0)`,
    "export const a = (5).toLocaleString('en')",
  ]
  for (const [n, text] of refused.entries()) await plant(folder, `dashboard/src/refused-${n}.ts`, text)
  for (const [n, text] of allowed.entries()) await plant(folder, `src/lib/allowed-${n}.ts`, text)
  const found = await lint(folder, 'text-for-people')
  assert.deepEqual(
    found.toSorted(),
    refused.map((_text, n) => `dashboard/src/refused-${n}.ts`),
  )
})

test('the lint refuses a cut that may leave half a character', async (t) => {
  const folder = await copyConfiguration(t)
  const refused = [
    'export const a = (text: string) => text.slice(0, 300)',
    'export const a = (text: string) => `${text.slice(0, 3)}…`',
    'const mostCharacters = 9\nexport const a = (text: string) => text.substring(0, mostCharacters - 1)',
  ]
  const allowed = [
    'export const a = (all: readonly string[]) => all.slice(0, 3)',
    'export const a = (id: string) => id.slice(0, 12)',
    'export const a = (date: Date) => date.toISOString().slice(0, 40)',
  ]
  for (const [n, text] of refused.entries()) await plant(folder, `src/jobs/refused-${n}.ts`, text)
  for (const [n, text] of allowed.entries()) await plant(folder, `src/jobs/allowed-${n}.ts`, text)
  const found = await lint(folder, 'whole-characters')
  assert.deepEqual(
    found.toSorted(),
    refused.map((_text, n) => `src/jobs/refused-${n}.ts`),
  )
})

test('the lint refuses a name of a generator outside the engine of sites', async (t) => {
  const folder = await copyConfiguration(t)
  const refused = [
    ...siteKinds.filter((kind) => kind !== 'plain').map((kind) => `export const a = '.${kind}/config.ts'`),
    'export const a = (site: { kind: string }) => site.kind === "plain"',
    'export const a = (path: string) => /(?:^|\\/)docs\\.json$/.test(path)',
    'export const a = (path: string) => /(?:docs|mint)\\.json$/.test(path)',
    'export const a = (folder: string) => `${folder}/conf.py`',
    "export const a = 'source.config.mjs'",
    "export { a } from '../sites/sphinx/python-config.ts'",
  ]
  const allowed = [
    "// Sphinx reads `conf.py`.\nexport const a = 'config'",
    "export const a = { kind: 'plain', ending: '.astro' }",
    'export const a = (file: { kind: string }) => file.kind === "plain"',
    "export const a = ['model_not_configured', 'docs', 'meta', 'sidebar', 'minted']",
  ]
  for (const [n, text] of refused.entries()) await plant(folder, `src/jobs/refused-${n}.ts`, text)
  for (const [n, text] of allowed.entries()) await plant(folder, `src/jobs/allowed-${n}.ts`, text)
  for (const path of ['sites/a.ts', 'jobs/policy/site-code.ts', 'jobs/a.test.ts'])
    await plant(folder, `src/${path}`, "export const a = 'mkdocs.yml'")
  const found = await lint(folder, 'site-names')
  assert.deepEqual(found.toSorted(), refused.map((_text, n) => `src/jobs/refused-${n}.ts`).toSorted())
})

/** Lists that grow by design: one file a migration. */
const exempt = ['src/postgres/migrations', 'src/clickhouse/migrations']

test('no folder of sources holds more than fifteen files', async () => {
  const files = (await Promise.all(['src', 'dashboard/src'].map(listSources))).flat()
  const folders = Map.groupBy(files, (name) => dirname(name))
  const full = [...folders].filter(([folder, held]) => held.length > 15 && !exempt.includes(folder))
  assert.deepEqual(full, [])
  assert.ok(files.length > 300, 'the tree was read')
})

async function listSources(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true })
  return names
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|fixture)\.ts$/.test(name))
    .map((name) => join(folder, name))
}

test('no test of analytics reads the clock of the machine', async () => {
  const folder = join(root, 'src/analytics')
  const tests = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.test.ts'))
  const texts = await Promise.all(tests.map((name) => readFile(join(folder, name), 'utf8')))
  const readers = tests.filter((_name, at) => /new Date\(\)|\bDate\.now\(\)/.test(texts[at] ?? ''))
  assert.deepEqual(readers, [])
  assert.ok(tests.length > 20, 'the tests were read')
})

/** A workspace has a `src` of its own. */
function folderOf(at: string): string {
  const [workspace = '', ...inside] = at.split('/')
  return ['client', 'dashboard'].includes(workspace) ? join(workspace, 'src', ...inside) : `src/${at}`
}

async function copyConfiguration(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('lint')
  t.after(() => removeFolder(folder))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const path of ['oxlint.config.ts', 'scripts/lint', 'src/sites/kinds.ts', 'src/sites/kinds'])
    await cp(join(root, path), join(folder, path), { recursive: true })
  return folder
}

async function plant(folder: string, path: string, line: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), `${line}\n`)
}

/** The files in which the lint finds a breach of the rule. */
async function lint(folder: string, rule: string): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json', 'src', 'client', 'dashboard'],
    { cwd: folder },
    (_error, stdout) => resolve(stdout),
  )
  const { diagnostics } = JSON.parse(await promise) as { diagnostics: { code: string; filename: string }[] }
  const hits = diagnostics.filter((one) => one.code.includes(rule))
  return [...new Set(hits.map((one) => one.filename))]
}

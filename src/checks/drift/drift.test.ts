// Docs against small histories of real git: what is reported, and above all what is not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { type Cleanup, plainGit } from '../../../test/support/git-remote.ts'
import { type Commit, createClone } from '../../../test/support/source-clone.ts'
import { openClone } from '../../git/past/past.ts'
import { findDrift } from './drift.ts'

const signal = () => AbortSignal.timeout(120_000)
/** More than any of these needs. */
const timeMs = 60_000

const flags = (...lines: readonly string[]) =>
  `export const options = {\n${lines.map((line) => `  ${line},\n`).join('')}}\n`
const before: Commit = {
  'src/flags.ts': flags("'max-lines': number('the most lines')", "'retries': number('how often')"),
  'src/client.py': 'class Client:\n    def close_all(self):\n        pass\n\n    def send(self):\n        pass\n',
  'src/config.go': 'const (\n\tAcmeToken = "ACME_API_TOKEN"\n\tSpare = "ACME_SPARE_HOST"\n)\n',
  'src/routes.ts': "app.get('/v1/archives', list)\napp.get('/v1/keys', keys)\n",
}
const after: Commit = {
  'src/flags.ts': flags("'max-rows': number('the most lines')", "'retries': number('how often')"),
  'src/client.py': 'class Client:\n    def send(self):\n        pass\n',
  'src/config.go': 'const (\n)\n',
  'src/defaults.toml': 'api_token = ""\n',
  'src/routes.ts': "app.get('/v1/keys', keys)\n",
}

async function drift(t: Cleanup, docs: Readonly<Record<string, string>>, ...sources: readonly (readonly Commit[])[]) {
  const tree = memoryTree(docs)
  const clones = await Promise.all(
    sources.map(
      async (commits, at) => await openClone(createClone(t, commits), { name: `api${at === 0 ? '' : at + 1}` }),
    ),
  )
  try {
    return await findDrift({ tree, result: await checkFiles(tree) }, { sources: clones, timeMs, signal: signal() })
  } finally {
    for (const clone of clones) await clone.close()
  }
}

async function targets(...given: Parameters<typeof drift>): Promise<string[]> {
  return (await drift(...given)).findings.map(({ kind, target }) => `${kind} ${target}`)
}

test('a flag that a source renamed is reported with its commit and its new name', async (t) => {
  const clone = createClone(t, [before, { 'README.md': 'More.\n' }, after])
  const commit = plainGit(clone, ['rev-parse', '--short=7', 'HEAD'])
  const source = await openClone(clone, { name: 'api' })
  const tree = memoryTree({ 'a.md': '# Use\n\nSet `--max-lines` and `--retries`.\n' })
  const { findings, coverage, basis } = await findDrift(
    { tree, result: await checkFiles(tree) },
    { sources: [source], timeMs, signal: signal() },
  )
  await source.close()
  assert.deepEqual(findings, [
    {
      kind: 'stale-term',
      path: 'a.md',
      line: 3,
      target: '--max-lines',
      message: `names --max-lines, which api removed in ${commit} of 2023-11-14`,
      suggestion: '--max-rows',
    },
  ])
  assert.deepEqual(coverage, { judged: 2, notJudged: [] })
  assert.deepEqual(basis, {
    sources: [
      {
        name: 'api',
        commit: plainGit(clone, ['rev-parse', 'HEAD']),
        revisions: 3,
        since: new Date(1_700_000_000_000),
        isWhole: true,
      },
    ],
    missing: [],
    files: 5,
    pages: 1,
    terms: 2,
  })
})

for (const [what, text, expected] of [
  ['a method', 'Call `Client.close_all()` and `Client.send`.', ['stale-term Client.close_all']],
  ['a variable', '```sh\nexport ACME_SPARE_HOST=x\n```', ['stale-term ACME_SPARE_HOST']],
  ['a variable that is a setting with a prefix', '```sh\nexport ACME_API_TOKEN=x\n```', []],
  ['an operation', 'Then `GET /v1/archives` and `GET /v1/keys`.', ['stale-term GET /v1/archives']],
  ['a name that a source has in another form', 'Set `MAX_ROWS` or `maxRows`.', []],
  ['a sentence that says so', 'The flag `--max-lines` was removed.', []],
  ['a section about it', '## Migrating from v1\n\nUse `--max-rows`, and not `--max-lines`.', []],
  ['an old name beside the new one', '| `ACME_API_TOKEN` | `api_token` |', []],
  ['an old name beside the new one in double marks', '``ACME_API_TOKEN``   :setting:`api_token`', []],
  [
    'an option in a block that the text names, too',
    '`--max-lines`:\n\n```toml\nmax-lines = 5\n```',
    ['stale-term --max-lines'],
  ],
  ['a variable of a template', '{% set close_all = 1 %}', []],
  ['an option of another program', '```sh\nnpm run x --max-lines\n```', []],
  ['a name that an example defines', '```py\ndef close_all(client):\n    pass\n\nclose_all(c)\n```', []],
] as const)
  test(`${what} ${expected.length > 0 ? 'that is gone is reported' : 'is not reported'}`, async (t) => {
    assert.deepEqual(await targets(t, { 'a.md': `# Use\n\n${text}\n` }, [before, after]), expected)
  })

for (const path of ['changelog.md', 'guides/migration.md', 'blog/new.md', 'docs/v1.2/use.md', 'rfcs/lines.md'])
  test(`a page about the past is not compared: ${path}`, async (t) => {
    assert.deepEqual(await targets(t, { [path]: '# Use\n\nSet `--max-lines`.\n' }, [before, after]), [])
  })

test('a name that another source has is not gone', async (t) => {
  const docs = { 'a.md': '# Use\n\nSet `--max-lines`, call `Client.close_all`.\n' }
  const other = { 'lib/lines.rs': 'fn max_lines() {}\n' }
  assert.deepEqual(await targets(t, docs, [before, after], [other]), ['stale-term Client.close_all'])
})

test('a name that only tests, examples or comments had was never one of the product', async (t) => {
  const had: Commit = {
    'src/a.ts': '// the sampleName of old\nexport {}\n',
    'tests/a.ts': 'const sampleName = 1\n',
    'examples/a.ts': 'const sampleName = 1\n',
  }
  const now: Commit = { 'src/a.ts': 'export {}\n', 'tests/a.ts': null, 'examples/a.ts': null }
  assert.deepEqual(await targets(t, { 'a.md': '# Use\n\nSee `sampleName`.\n' }, [had, now]), [])
})

for (const [what, code, text, expected] of [
  ['in a form that only a private name had', 'function pageLimit() {}', 'See `PageLimit`.', []],
  ['in the form that it had', 'export class PageLimit {}', 'See `PageLimit`.', ['stale-term PageLimit']],
  ['within a function', 'export function f() {\n  const page_limit = 1\n}', 'Set `page_limit`.', []],
  ['between the parentheses of a function', 'function set(page_limit) {}', 'Set `page_limit`.', []],
  ['that a text of the code had', "f('page_limit')", 'Set `page_limit`.', []],
  ['that a heading describes', "f('page_limit')", '### `page_limit`\n\nA number.', ['stale-term page_limit']],
  [
    'that a block sets',
    'export const page_limit = 1',
    '### page_limit\n\n```toml\npage_limit = 5\n```',
    ['stale-term page_limit'],
  ],
  ['that only a block sets', 'export const page_limit = 1', '```toml\npage_limit = 5\n```', ['stale-term page_limit']],
  ['of a variable that a block uses', 'export const page_limit = 1', '```py\npage_limit = 5\nset(page_limit)\n```', []],
  [
    'on a page about what is gone',
    'export const page_limit = 1',
    'This setting was removed in 2.0.\n\n## Use\n\nA\n\nB\n\nC\n\nD\n\nSet `page_limit`.',
    [],
  ],
  [
    'in a table of old and new names',
    'export const page_limit = 1',
    '| `page_limit` | `rows_each` |\n| `acme_rows` | `rows` |\n| `acme_keys` | `keys` |',
    [],
  ],
  [
    'of another project that the page links',
    'export const page_limit = 1',
    'Install `page_limit` from https://example.org/others/page_limit first.',
    [],
  ],
] as const)
  test(`a name ${what} is ${expected.length > 0 ? '' : 'not '}reported`, async (t) => {
    const had = { 'src/a.ts': `${code}\n` }
    assert.deepEqual(await targets(t, { 'a.md': `# Use\n\n${text}\n` }, [had, { 'src/a.ts': 'export {}\n' }]), expected)
  })

test('a name of the product’s own package is no dependency of it', async (t) => {
  const setup = "setup(\n    name='acme',\n    install_requires=['left>=1'],\n)\ndef finalize(self): pass\n"
  const had = { 'setup.py': setup, 'acme/client.py': 'class Client:\n    def close_all(self):\n        pass\n' }
  const now = { 'acme/client.py': 'class Client:\n    pass\n' }
  const text = 'Call `acme.close_all`, `self.close_all` and `left.close_all`.'
  assert.deepEqual(await targets(t, { 'a.md': `# Use\n\n${text}\n` }, [had, now]), [
    'stale-term acme.close_all',
    'stale-term self.close_all',
  ])
})

test('a name that the pages had only after the product lost it is not reported', async (t) => {
  const page = (text: string): Commit => ({ 'docs/a.md': `# Use\n\n${text}\n` })
  const clone = createClone(t, [
    { ...before, ...page('Set `--max-lines`.') },
    { ...after, ...page('Set `--max-lines`.') },
    page('Set `--max-lines`, call `Client.close_all`.'),
  ])
  const tree = memoryTree({ 'docs/a.md': '# Use\n\nSet `--max-lines`, call `Client.close_all`.\n' })
  const api = await openClone(clone, { name: 'api' })
  const options = { sources: [api], timeMs, signal: signal() }
  const result = await checkFiles(tree)
  const found = async (docs?: typeof api) =>
    (await findDrift({ tree, result }, { ...options, docs })).findings.map(({ target }) => target)
  assert.deepEqual(await found(), ['--max-lines', 'Client.close_all'])
  assert.deepEqual(await found(api), ['--max-lines'])
  await api.close()
})

test('a name that moved to a dependency is not reported', async (t) => {
  const manifest = (...names: readonly string[]) =>
    JSON.stringify({ name: 'acme', dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }, null, 2)
  const had: Commit = { 'package.json': manifest('left'), 'src/pages.ts': 'export class PageMaker {}\n' }
  const now: Commit = {
    'package.json': manifest('left', 'acme-pages'),
    'src/pages.ts': "export * from 'acme-pages'\nimport 'acme-pages'\n",
  }
  assert.deepEqual(await targets(t, { 'a.md': '# Use\n\nSee `PageMaker`.\n' }, [had, now]), [])
})

test('a name of a module that is a dependency now is not reported', async (t) => {
  const setup = (...names: readonly string[]) => `setup(name='acme', install_requires=${JSON.stringify(names)})\n`
  const had = { 'setup.py': setup('left'), 'acme/pages.py': 'class PageMaker:\n    pass\n' }
  const now = { 'setup.py': setup('left', 'acme-contrib'), 'acme/pages.py': '# moved\n' }
  const page = (module: string) => ({
    'conf.py': '',
    'index.rst': `Use\n===\n\n.. module:: ${module}\n\n.. class:: PageMaker\n`,
  })
  assert.deepEqual(await targets(t, page('acme.pages'), [had, now]), ['stale-term PageMaker'])
  assert.deepEqual(await targets(t, page('acme.contrib.pages'), [had, now]), [])
})

test('a flag that the code puts together is not reported', async (t) => {
  const had = { 'src/flags.ts': "add('--ext-paint')\nadd('--spare-rows')\n" }
  const now = { 'src/flags.ts': 'for (const one of extensions) add(`--ext-${one}`)\n' }
  const docs = { 'a.md': '# Use\n\nSet `--ext-paint` and `--spare-rows`.\n' }
  assert.deepEqual(await targets(t, docs, [had, now]), ['stale-term --spare-rows'])
})

test('a name is gone although its file uses another package of the source', async (t) => {
  const part = JSON.stringify({ name: 'acme-parts' })
  const root = (dependencies: object) => JSON.stringify({ name: 'acme', dependencies }, null, 2)
  const had = { 'libs/p/package.json': part, 'package.json': root({}), 'src/a.ts': 'export class PageMaker {}\n' }
  const now = { 'package.json': root({ 'acme-parts': '1' }), 'src/a.ts': "import 'acme-parts'\n" }
  assert.deepEqual(await targets(t, { 'a.md': '# Use\n\nSee `PageMaker`.\n' }, [had, now]), ['stale-term PageMaker'])
})

test('an option that is named like a dependency is not reported', async (t) => {
  const had = {
    'package.json': JSON.stringify({ name: 'acme', dependencies: { 'acme-syntax-paint': '1' } }, null, 2),
    'src/config.ts': 'export const defaults = {\n  paint_lines: true,\n  rows_each: 5,\n}\n',
  }
  const now = { 'src/config.ts': 'export {}\n' }
  const docs = { 'a.md': '# Use\n\nSet `paint_lines` and `rows_each`.\n' }
  assert.deepEqual(await targets(t, docs, [had, now]), ['stale-term rows_each'])
})

test('a page that a tool writes is not compared', async (t) => {
  const docs = { 'a.md': '<!-- Do not edit this file. -->\n\n# Use\n\nSet `--max-lines`.\n' }
  assert.deepEqual(await targets(t, docs, [before, after]), [])
})

test('a documented default is reported if its definition had it and has another', async (t) => {
  const config = (retries: number, size: number) => `retry_limit = ${retries}\npage_size = ${size}\n`
  const docs = {
    'a.md':
      '# Use\n\n`retry_limit` is the most retries. Default: `3`.\n\n`page_size` has a default of 10.\n\n`page_size` (default `25`).\n',
  }
  const { findings } = await drift(t, docs, [
    { 'src/config.toml': config(3, 25) },
    { 'src/config.toml': config(5, 25) },
  ])
  assert.deepEqual(
    findings.map(({ kind, line, target, suggestion }) => [kind, line, target, suggestion]),
    [['stale-value', 3, 'retry_limit 3', '5']],
  )
})

test('a name in the form of the product’s own that no revision had is reported', async (t) => {
  const names = ['Client', 'Server', 'Request', 'Response', 'Timeout', 'Limits', 'Cookies', 'Headers', 'Stream']
  const source = {
    'pyproject.toml': '[project]\nname = "acme"\n',
    'acme/__init__.py': names.map((name) => `class ${name}:\n    pass\n`).join('\n'),
  }
  const text = [...names, 'Mounts'].map((name) => `- \`acme.${name}\``).join('\n')
  assert.deepEqual(await targets(t, { 'a.md': `# Use\n\n${text}\n` }, [source]), ['unknown-term acme.Mounts'])
  const few = names
    .slice(0, 4)
    .map((name) => `- \`acme.${name}\``)
    .join('\n')
  assert.deepEqual(await targets(t, { 'a.md': `# Use\n\n${few}\n- \`acme.Mounts\`\n` }, [source]), [])
})

test('terms that were not compared in time, or without their source, are counted', async (t) => {
  const tree = memoryTree({ 'a.md': '# Use\n\nSet `--max-lines`, call `Client.close_all` and `Client.send`.\n' })
  const clone = await openClone(createClone(t, [before, after]), { name: 'api' })
  const result = await checkFiles(tree)
  const noHistory = { ...clone, history: async () => [] }
  const late = await findDrift({ tree, result }, { sources: [noHistory], timeMs, signal: signal() })
  assert.deepEqual(late.findings, [])
  assert.deepEqual(late.coverage, {
    judged: 1,
    notJudged: [{ reason: 'history', count: 2, example: 'a.md:3 --max-lines' }],
  })
  const noFiles = { ...clone, files: async () => await Promise.reject(new Error('gone')) }
  const unread = await findDrift(
    { tree, result },
    { sources: [clone, { ...noFiles, name: 'lost' }], timeMs, signal: signal() },
  )
  assert.deepEqual(unread.findings, [])
  assert.deepEqual(unread.coverage, {
    judged: 0,
    notJudged: [{ reason: 'source', count: 3, example: 'a.md:3 --max-lines' }],
  })
  await clone.close()
})

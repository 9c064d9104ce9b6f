// Translations that are behind, in real repositories: only changes of the text count, and only those after the last commit of the
// translation.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { memoryTree, type SiteFiles } from '../../../test/support/docs-sites.ts'
import { createRemote, signal } from '../../../test/support/git-remote.ts'
import { openClone } from '../../git/past/past.ts'
import { readPage } from '../facts/read-page.ts'
import { findOutdated } from './outdated.ts'

const config = { 'mkdocs.yml': 'site_name: Acme\n' }
const page = (text: string, title = 'Install') => `---\ntitle: ${title}\n---\n\n# Install\n\n${text}\n`
const first = {
  ...config,
  'docs/install.md': page('Run it. See [more](./more.md).\n\n```sh\nacme start\n```'),
  'docs/more.md': page('More.', 'More'),
  'docs/de/install.md': page('Starte es.', 'Installation'),
  'docs/de/more.md': page('Mehr.', 'Mehr'),
}

type Commit = Readonly<Record<string, string | null>>

/** Returns the paths that are behind after these commits, and why others were not judged. `now`: the tree, if it is not the last commit. */
async function judge(t: TestContext, commits: readonly Commit[], now?: SiteFiles) {
  const remote = createRemote(t)
  const files: Record<string, string> = {}
  for (const commit of commits) {
    remote.commit('main', commit)
    for (const [path, text] of Object.entries(commit)) {
      if (text === null) delete files[path]
      else files[path] = text
    }
  }
  const docs = await openClone(remote.directory)
  t.after(() => docs.close())
  const tree = memoryTree(now ?? files)
  const facts = {
    page: async (
      file: { readonly path: string },
      syntax: Parameters<typeof readPage>[0],
      from: { read(path: string): Promise<Uint8Array | undefined> },
    ) => readPage(syntax, new TextDecoder().decode(await from.read(file.path))),
  }
  const found = await findOutdated({ tree, result: await checkFiles(tree) }, { docs, facts, signal: signal() })
  return {
    outdated: found.outdated.map(({ path, source }) => `${path} < ${source}`),
    judged: found.coverage.judged,
    notJudged: found.coverage.notJudged.map(({ reason, count }) => `${count} ${reason}`),
  }
}

const change = (from: string, to: string): Commit => ({ 'docs/install.md': first['docs/install.md'].replace(from, to) })
const behind = ['docs/de/install.md < docs/install.md']

const cases: readonly (readonly [about: string, commits: readonly Commit[], outdated: readonly string[]])[] = [
  ['a new sentence', [change('Run it.', 'Run it twice.')], behind],
  ['a word in code', [change('acme start', 'acme run')], behind],
  ['another title', [change('title: Install', 'title: Set up')], behind],
  ['a formatted word', [change('Run it.', '**Run** _it_.')], []],
  [
    'another line break and another target of a link',
    [change('Run it. See [more](./more.md)', 'Run it.\nSee [more](more.md)')],
    [],
  ],
  ['the language of a fence', [change('```sh', '```bash')], []],
  [
    'a change in the commit of the translation',
    [{ ...change('Run it.', 'Go.'), 'docs/de/install.md': page('Los.') }],
    [],
  ],
  ['a translation after the change', [change('Run it.', 'Go.'), { 'docs/de/install.md': page('Los.') }], []],
  ['a change that was taken back', [change('Run it.', 'Go.'), change('', '')], []],
  [
    'a page that only the other language has',
    [{ 'docs/de/impressum.md': page('Acme.') }, change('Run it.', 'Go.')],
    behind,
  ],
]

for (const [about, commits, outdated] of cases) {
  test(`a translation is behind a changed text alone: ${about}`, async (t) => {
    const found = await judge(t, [first, ...commits])
    assert.deepEqual(found, { outdated, judged: 2, notJudged: [] })
  })
}

test('the frontmatter of a translation names its source, or one that is not there', async (t) => {
  const named = (target: string) => `---\ntitle: Start\ntranslationOf: ${target}\n---\n\nLos.\n`
  const commits = [
    {
      ...first,
      'docs/start.md': page('Go.'),
      'guide/los.md': named('docs/start.md'),
      'guide/weg.md': named('../docs/gone.md'),
    },
    { 'docs/start.md': page('Go now.') },
  ]
  const found = await judge(t, commits)
  assert.deepEqual(found, { outdated: ['guide/los.md < docs/start.md'], judged: 3, notJudged: ['1 translation'] })
})

test('a translation that is not committed, and a site without one, is behind nothing', async (t) => {
  const changed = { ...first, ...change('Run it.', 'Go.') } as SiteFiles
  const fresh = await judge(
    t,
    [{ ...config, 'docs/install.md': first['docs/install.md'] }, change('Run it.', 'Go.')],
    changed,
  )
  assert.deepEqual(fresh.outdated, [])
  const edited = { ...changed, 'docs/de/install.md': page('Los.') }
  assert.deepEqual((await judge(t, [first, change('Run it.', 'Go.')], edited)).outdated, [])
  assert.deepEqual(await judge(t, [{ ...config, 'docs/install.md': page('Go.') }]), {
    outdated: [],
    judged: 0,
    notJudged: [],
  })
})

test('without a repository, nothing is judged, and this is said', async () => {
  const tree = memoryTree(first)
  const facts = { page: () => assert.fail('nothing is read') }
  const result = await checkFiles(tree)
  const { outdated, coverage } = await findOutdated({ tree, result }, { docs: undefined, facts, signal: signal() })
  assert.deepEqual([outdated, coverage.judged, coverage.notJudged.map(({ count }) => count)], [[], 0, [2]])
})

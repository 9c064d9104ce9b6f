// `docent affected` in process, on real repositories.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { type Cleanup, plainGit, temporaryFolder } from '../../../test/support/git-remote.ts'
import { writeFiles } from '../../../test/support/temporary.ts'

const docs = {
  'docs/mkdocs.yml': 'site_name: Acme\n',
  'docs/docs/index.md': '# Acme\n\nStart with `acme serve`.\n',
  'docs/docs/watch.md': '# Watch\n\nSet `--watch-folders` or `watchFolders`.\n',
  'docs/docs/changelog.md': '# Changes\n\n- `--watch-folders` is new.\n',
}
const code = { 'src/cli.ts': "option('--watch-folders')\n", 'src/serve.ts': 'serve()\n' }

type Printed = {
  readonly mode: string
  readonly concernsDocs: boolean
  readonly files: number
  readonly commits: number
  readonly knownPages: number
  readonly pages: readonly { readonly path: string; readonly terms: readonly string[]; readonly changed: boolean }[]
}

test('commits since a tag give ranked pages with the terms that put them there', async (t) => {
  const folder = makeRepository(t, { ...docs, ...code })
  commit(folder, { 'src/cli.ts': "option('--watch-paths')\n" }, 'feat: rename an option')
  const { code: ended, stdout } = await runCommand(['affected', folder, '--since', 'v1'], {})
  assert.equal(ended, 0)
  assert.match(stdout, /^1 commit since v1, 1 file without pages; 2 pages\.$/m)
  assert.match(stdout, /^ +\d\.\d\d {2}docs\/docs\/watch\.md\n {8}--watch-folders/m)
  assert.doesNotMatch(stdout, /changelog/)
  const inside = await json(['affected', join(folder, 'docs'), '--since', 'v1', '--limit', '1'])
  assert.equal(inside.mode, 'beside')
  assert.deepEqual(
    inside.pages.map(({ path, changed }) => [path, changed]),
    [['docs/watch.md', false]],
  )
})

test('a page that the change has changed is marked, and its own words are not asked', async (t) => {
  const folder = makeRepository(t, { ...docs, ...code })
  commit(folder, { 'docs/docs/watch.md': '# Watch\n\nSet `serve`.\n' }, 'Change a page')
  const pagesAlone = await json(['affected', folder, '--since', 'v1'])
  assert.deepEqual([pagesAlone.files, pagesAlone.concernsDocs], [0, false])
  commit(folder, { 'src/cli.ts': 'serve()\n' }, 'Serve')
  const both = await json(['affected', folder, '--since', 'v1'])
  const marked = both.pages.map(({ path, changed }) => [path, changed])
  assert.deepEqual(
    marked.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    [
      ['docs/docs/index.md', false],
      ['docs/docs/watch.md', true],
    ],
  )
})

test('--source reads the changes of other repositories, and of a clone', async (t) => {
  const folder = makeRepository(t, docs)
  const source = makeRepository(t, code)
  commit(source, { 'src/cli.ts': "option('--watch-paths')\n" }, 'feat: rename an option')
  const apart = await json(['affected', folder, '--since', 'v1', '--source', source])
  assert.equal(apart.mode, 'apart')
  assert.equal(apart.pages[0]?.path, 'docs/docs/watch.md')
  const { stdout } = await runCommand(['affected', folder, '--since', 'v1', '--source', source], {})
  assert.match(stdout, /^The documentation has another history, so the terms alone decide\.$/m)
  const clone = temporaryFolder(t)
  plainGit(clone, ['clone', '-q', folder, '.'])
  commit(clone, { 'src/cli.ts': "option('--watch-folders')\n" }, 'Add it')
  const beside = await json(['affected', folder, '--since', 'v1', '--source', clone])
  assert.deepEqual([beside.mode, beside.commits], ['beside', 1])
})

test('names with spaces and letters of any language are read', async (t) => {
  const folder = makeRepository(t, { ...docs, 'src/ü b.ts': 'a\n' })
  commit(folder, { 'src/ü b.ts': 'watchFolders\n' }, 'Change')
  const found = await json(['affected', folder, '--since', 'v1'])
  assert.deepEqual([found.files, found.pages[0]?.path], [1, 'docs/docs/watch.md'])
})

test('wrong places and limits are refused before anything is read', async (t) => {
  const folder = makeRepository(t, docs)
  const plain = temporaryFolder(t)
  writeFiles(plain, docs)
  const refused = async (...args: readonly string[]) => {
    const { code: ended, stderr } = await runCommand(['affected', ...args], {})
    return [ended, stderr] as const
  }
  const [ended, words] = await refused(folder, '--since', 'nowhere')
  assert.notEqual(ended, 0)
  assert.match(words, /HEAD and nowhere have no common commit/)
  assert.match((await refused(plain, '--since', 'v1'))[1], /--since needs a folder in a git repository, or --source\./)
  assert.match((await refused(folder, '--since', 'v1', '--source', plain))[1], /is in no git repository\./)
  assert.match((await refused(join(folder, 'no'), '--since', 'v1'))[1], /There is no folder /)
  assert.match((await refused(folder))[1], /--since/)
  for (const limit of ['0', '1001', '1.5']) {
    assert.match((await refused(folder, '--since', 'v1', '--limit', limit))[1], /whole number from 1 to 1000/)
  }
  assert.equal((await refused(folder, '--since', 'v1', '--limit', '1000'))[0], 0)
})

function makeRepository(t: Cleanup, files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(t)
  plainGit(folder, ['init', '-q', '-b', 'main'])
  commit(folder, files, 'Start')
  plainGit(folder, ['tag', 'v1'])
  return folder
}

function commit(folder: string, files: Readonly<Record<string, string>>, message: string): void {
  writeFiles(folder, files)
  plainGit(folder, ['add', '.'])
  plainGit(folder, ['-c', 'user.name=A', '-c', 'user.email=a@acme.example', 'commit', '-q', '-m', message])
}

async function json(args: readonly string[]): Promise<Printed> {
  const { stdout, stderr } = await runCommand([...args, '--json'], {})
  assert.equal(stderr, '')
  return JSON.parse(stdout) as Printed
}

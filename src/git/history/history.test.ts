import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeObject } from '../../../test/support/git-objects.ts'
import { noise, signal, testRepository } from '../../../test/support/git-remote.ts'
import { fetchesOf, objectsIn, servedSource, within } from '../../../test/support/git-source.ts'
import { isSecretPath } from '../../lib/outbound/secret-paths.ts'
import type { ChangeQuery, LogQuery, Past } from '../types.ts'

const all = within()
const isGenerated = (path: string) => path.endsWith('.lock')

function asked(to: string, given: Partial<LogQuery> = {}): LogQuery {
  return { to, limit: 20, isVisible: all, ...given }
}

type Given = { readonly path?: string; readonly isVisible?: ChangeQuery['isVisible']; readonly maxBytes?: number }

async function show(past: Past, ends: { readonly commit: string } | { from: string; to: string }, given: Given = {}) {
  return await past.showChange({ ...ends, isVisible: all, isGenerated, maxBytes: 100_000, ...given }, signal())
}

async function subjects(past: Past, query: LogQuery): Promise<string[]> {
  return (await past.log(query, signal())).commits.map(({ subject }) => subject)
}

test('the log of a source knows files, tags and pull requests without any content', async (t) => {
  const { source, remote, server, mirror } = await servedSource(t, { 'src/a.ts': 'one\n', 'docs/a.md': 'one\n' })
  const first = remote.head('main') ?? ''
  const second = remote.commit('main', { 'src/a.ts': 'one\ntwo\n', 'src/b.ts': 'b\n' }, 'Add b (#7)\n\nBecause.\n')
  remote.git(['tag', 'v1.0.0', second])
  remote.git(['tag', '-a', '-m', 'x', 'v1.0.1', second])
  const third = remote.commit('main', { 'src/b.ts': null, 'src/c.ts': 'b\n' }, 'Rename b')
  const fourth = remote.commit('main', { 'docs/a.md': 'two\n' }, 'Docs')
  const { commit } = await source.fetch({ branch: 'main', isVisible: within('src/') }, signal())
  assert.equal(commit, fourth)
  const { commits, isCut } = await source.log(asked(commit), signal())
  const blobs = objectsIn(mirror).filter((line) => line.endsWith(' blob')).length
  assert.equal(blobs, 2)
  assert.equal(isCut, false)
  assert.deepEqual(
    commits.map((entry) => entry.commit),
    [fourth, third, second, first],
  )
  assert.deepEqual(commits[2], {
    commit: second,
    date: new Date(1_700_000_000_000),
    author: 'Person',
    subject: 'Add b (#7)',
    body: 'Because.',
    tags: ['v1.0.0', 'v1.0.1'],
    pullRequests: [7],
    files: [
      { path: 'src/a.ts', previousPath: null, status: 'modified' },
      { path: 'src/b.ts', previousPath: null, status: 'added' },
    ],
    fileCount: 2,
    counts: undefined,
  })
  assert.deepEqual(commits[1]?.files, [{ path: 'src/c.ts', previousPath: 'src/b.ts', status: 'renamed' }])
  const before = server.requests.length
  assert.deepEqual(await subjects(source, asked(commit, { isVisible: within('src/') })), [
    'Rename b',
    'Add b (#7)',
    'A change',
  ])
  assert.deepEqual(await subjects(source, asked(commit, { from: second })), ['Docs', 'Rename b'])
  assert.deepEqual(await subjects(source, asked(commit, { path: 'docs' })), ['Docs', 'A change'])
  assert.deepEqual(await subjects(source, asked(commit, { path: 'docs', isVisible: within('src/') })), [])
  assert.deepEqual(await subjects(source, asked(commit, { pattern: 'rename|BECAUSE' })), ['Rename b', 'Add b (#7)'])
  await assert.rejects(source.log(asked(commit, { pattern: '(' }), signal()), { code: 'invalid_input' })
  await assert.rejects(source.log(asked('--all'), signal()), { code: 'internal' })
  const cut = await source.log(asked(commit, { limit: 2 }), signal())
  assert.deepEqual([cut.commits.length, cut.isCut], [2, true])
  assert.equal(server.requests.length, before)
})

test('the log of the docs counts lines', async (t) => {
  const { remote, repository } = await testRepository(t)
  remote.commit('main', { 'a.md': 'one\n', 'b.md': 'b\n' })
  const second = remote.commit('main', { 'a.md': 'one\ntwo\nthree\n', 'b.md': null })
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const { commits } = await repository.log(asked(second), signal())
  assert.deepEqual(
    commits.map(({ counts }) => counts),
    [
      { additions: 2, deletions: 1 },
      { additions: 2, deletions: 0 },
    ],
  )
  const uncounted = await repository.log(asked(second, { countsLines: false }), signal())
  assert.deepEqual(
    uncounted.commits,
    commits.map((one) => ({ ...one, counts: undefined })),
  )
  const ofOne = await repository.log(asked(second, { isVisible: within('b.md') }), signal())
  assert.deepEqual(ofOne.commits[0]?.counts, { additions: 0, deletions: 1 })
  const shown = await show(repository, { commit: second })
  assert.match(shown.files[0]?.patch ?? '', /\n\+two\n\+three\n/)
})

test('a history of several steps is listed in order, up to the limit', async (t) => {
  const { remote, repository } = await testRepository(t)
  const all = Array.from({ length: 160 }, (_, at) => remote.commit('main', { 'a.md': `${at}\n` }, `Change ${at}`))
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const wanted = all.toReversed().slice(0, 155)
  const { commits, isCut } = await repository.log(asked(wanted[0] ?? '', { limit: 155 }), signal())
  assert.deepEqual([commits.map(({ commit }) => commit), isCut], [wanted, true])
})

test('a merge is compared with its first parent', async (t) => {
  const { source, remote } = await servedSource(t, { 'a.ts': 'a' })
  const first = remote.head('main') ?? ''
  remote.git(['update-ref', 'refs/heads/side', first])
  const side = remote.commit('side', { 'side.ts': 'side' }, 'On the side')
  const main = remote.commit('main', { 'main.ts': 'main' }, 'On main')
  const tree = remote.git(['merge-tree', '--write-tree', main, side])
  const merge = remote.git(['commit-tree', tree, '-p', main, '-p', side, '-m', 'Merge pull request #5 from acme/side'])
  remote.git(['update-ref', 'refs/heads/main', merge])
  const { commit } = await source.fetch({ branch: 'main', isVisible: all }, signal())
  const { commits } = await source.log(asked(commit, { limit: 1 }), signal())
  assert.deepEqual(commits[0]?.pullRequests, [5])
  assert.deepEqual(commits[0]?.files, [{ path: 'side.ts', previousPath: null, status: 'added' }])
  assert.deepEqual(
    (await show(source, { commit })).files.map(({ path }) => path),
    ['side.ts'],
  )
})

test('a change of a source brings its contents in one request', async (t) => {
  const { source, remote, server } = await servedSource(t, { 'a.ts': 'one\n', 'b.ts': 'one\n', 'x.lock': 'one\n' })
  const first = remote.head('main') ?? ''
  const second = remote.commit('main', { 'a.ts': 'two\n', 'b.ts': null, 'c.ts': 'new\n', 'x.lock': 'two\n' })
  const third = remote.commit('main', { 'a.ts': 'three\n', 'c.ts': null, 'd.ts': 'new\n' })
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  await source.log(asked(third), signal())
  const before = fetchesOf(server)
  const { files, isCut } = await show(source, { commit: second })
  assert.equal(fetchesOf(server) - before, 1)
  assert.equal(isCut, false)
  assert.deepEqual(
    files.map(({ path, status, left }) => [path, status, left]),
    [
      ['a.ts', 'modified', null],
      ['b.ts', 'deleted', null],
      ['c.ts', 'added', null],
      ['x.lock', 'modified', 'generated'],
    ],
  )
  assert.match(files[0]?.patch ?? '', /^diff --git a\/a\.ts b\/a\.ts\n[^]*\n-one\n\+two\n$/)
  assert.match(files[1]?.patch ?? '', /\ndeleted file mode [^]*-one\n$/)
  assert.match((await show(source, { commit: second }, { path: 'x.lock' })).files[0]?.patch ?? '', /\+two/)
  const range = await show(source, { from: first, to: third })
  assert.deepEqual(
    range.files.map(({ path, status }) => [path, status]),
    [
      ['a.ts', 'modified'],
      ['b.ts', 'deleted'],
      ['d.ts', 'added'],
      ['x.lock', 'modified'],
    ],
  )
  const renamed = await show(source, { from: second, to: third }, { path: 'd.ts' })
  assert.deepEqual(renamed.files, [{ path: 'd.ts', previousPath: 'c.ts', status: 'renamed', patch: '', left: null }])
  const root = await show(source, { commit: first })
  assert.deepEqual(
    root.files.map(({ status }) => status),
    ['added', 'added', 'added'],
  )
})

test('patches over the limit are left for later, and read by their paths', async (t) => {
  const { source, remote } = await servedSource(t, { 'a.ts': 'a\n' })
  const lines = (name: string) => `${name.repeat(20)}\n`.repeat(200)
  const commit = remote.commit('main', { 'b.ts': lines('b'), 'c.ts': lines('c'), 'd.ts': lines('d') })
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  const { files } = await show(source, { commit }, { maxBytes: 6_000 })
  assert.deepEqual(
    files.map(({ path, left }) => [path, left]),
    [
      ['b.ts', null],
      ['c.ts', 'cut'],
      ['d.ts', 'later'],
    ],
  )
  assert.ok(files.every(({ patch }) => patch === null || patch.endsWith('\n')))
  const alone = await show(source, { commit }, { maxBytes: 6_000, path: 'd.ts' })
  assert.deepEqual([alone.files.length, alone.files[0]?.left], [1, null])
})

test('secret-looking files are in no log and no change, by their path at each commit', async (t) => {
  const { source, remote } = await servedSource(t, { '.env': 'KEY=1\n', 'a.ts': 'a\n' })
  const first = remote.head('main') ?? ''
  const renamed = remote.commit('main', { '.env': null, 'env.txt': 'KEY=1\n' }, 'Rename it')
  const back = remote.commit('main', { 'env.txt': null, 'keys/server.key': 'KEY=1\n' }, 'Rename it again')
  const hidden = remote.commit('main', { 'keys/server.key': 'KEY=2\n' }, 'Only a key')
  const isVisible = (path: string) => !isSecretPath(path)
  const { commit } = await source.fetch({ branch: 'main', isVisible }, signal())
  const { commits } = await source.log(asked(commit, { isVisible }), signal())
  assert.deepEqual(
    commits.map(({ subject, files }) => [subject, ...files.map(({ path, previousPath }) => [path, previousPath])]),
    [
      ['Rename it again', ['env.txt', null]],
      ['Rename it', ['env.txt', null]],
      ['A change', ['a.ts', null]],
    ],
  )
  assert.deepEqual((await show(source, { commit: hidden }, { isVisible })).files, [])
  assert.deepEqual((await show(source, { from: first, to: hidden }, { isVisible })).files, [])
  const added = await show(source, { commit: renamed }, { isVisible })
  assert.deepEqual([added.files.length, added.files[0]?.status], [1, 'added'])
  assert.doesNotMatch(JSON.stringify(added), /\.env"/)
  assert.deepEqual((await show(source, { commit: back }, { isVisible, path: 'keys' })).files, [])
  const tree = await source.tree(commit, isVisible)
  assert.equal(await tree.read('keys/server.key'), undefined)
  const before = await source.tree(first, isVisible)
  assert.equal(await before.read('.env'), undefined)
})

test('a name is a tag, a branch, an id or a date', async (t) => {
  const { source, remote } = await servedSource(t, { 'a.ts': 'a' })
  const first = remote.head('main') ?? ''
  const second = remote.commit('main', { 'a.ts': 'b' })
  remote.git(['tag', 'v1', first])
  remote.git(['tag', '-a', '-m', 'x', 'v2', second])
  remote.git(['tag', 'of-a-blob', `${second}:a.ts`])
  const third = remote.commit('main', { 'a.ts': 'c' })
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  const expected: readonly (readonly [string, string | undefined])[] = [
    ['last-tag', second],
    ['v1', first],
    ['v2', second],
    ['main', third],
    [first, first],
    [first.slice(0, 7), first],
    [first.slice(0, 12).toUpperCase(), first],
    ['2023-11-14', undefined],
    ['2023-11-15', third],
    ['2023-11-15T00:00:00Z', third],
    ['of-a-blob', undefined],
    ['v3', undefined],
    ['--all', undefined],
    ['HEAD', undefined],
    ['2023-99-99', undefined],
    ['1'.repeat(40), undefined],
    ['', undefined],
  ]
  for (const [name, commit] of expected) assert.equal(await source.resolve(name, third, signal()), commit, name)
  assert.equal(await source.resolve('last-tag', first, signal()), first)
})

test('a tag of another branch is fetched with its history, and no contents', async (t) => {
  const { source, remote, mirror } = await servedSource(t, { 'a.ts': 'a' })
  const first = remote.head('main') ?? ''
  remote.git(['update-ref', 'refs/heads/release', first])
  const released = [1, 2].map((n) => remote.commit('release', { 'a.ts': `fix ${n}` }, `Fix ${n}`)).at(-1) ?? ''
  remote.git(['tag', 'v1.0.2', released])
  const head = remote.commit('main', { 'b.ts': 'b' }, 'Add b')
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  const blobs = objectsIn(mirror).filter((line) => line.endsWith(' blob')).length
  assert.equal(await source.resolve('v1.0.2', head, signal()), released)
  assert.deepEqual(await subjects(source, asked(head, { from: released })), ['Add b'])
  assert.deepEqual(await subjects(source, asked(released, { from: first })), ['Fix 2', 'Fix 1'])
  assert.equal(objectsIn(mirror).filter((line) => line.endsWith(' blob')).length, blobs)
})

test('a content that does not come is named, and one over the limit is not shown', async (t) => {
  const limits = { maxFileBytes: 10_000, maxRepositoryBytes: 500_000 }
  const { source, remote } = await servedSource(t, { 'a.ts': 'a\n' }, limits)
  const small = remote.commit('main', { 'b.bin': noise(20_000), 'a.ts': 'b\n' })
  const large = remote.commit('main', { 'c.bin': noise(900_000), 'a.ts': 'c\n' })
  await source.fetch({ branch: 'main', isVisible: all }, signal())
  const states = async (commit: string) => (await show(source, { commit })).files.map(({ path, left }) => [path, left])
  assert.deepEqual(await states(small), [
    ['a.ts', null],
    ['b.bin', 'over_limit'],
  ])
  assert.deepEqual(await states(large), [
    ['a.ts', null],
    ['c.bin', 'not_fetched'],
  ])
})

test('commits with ids in capital letters or a long message have their changes', async (t) => {
  const { remote, repository } = await testRepository(t)
  const first = remote.commit('main', { 'a.md': 'a\n' })
  const tree = remote.git(['rev-parse', `${remote.commit('main', { 'b.md': 'b\n' })}^{tree}`])
  const who = 'Ada <ada@example.com> 1700000000 +0000'
  const write = (parent: string, message: string) => {
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`, '', message]
    return writeObject(remote.directory, 'commit', Buffer.from(`${lines.join('\n')}\n`))
  }
  for (const to of [write(first.toUpperCase(), 'Capitals'), write(first, `Long\n\n${'x'.repeat(2_000_000)}`)]) {
    remote.git(['update-ref', 'refs/heads/main', to])
    await repository.fetch({ branch: 'main', branches: [] }, signal())
    assert.deepEqual(await repository.mainline({ from: first, to }, signal()), [{ commit: to, parent: first }])
    assert.deepEqual((await repository.describe([to], signal()))[0]?.paths, ['b.md'])
    const { files } = await show(repository, { from: first, to })
    assert.deepEqual(
      files.map(({ path, patch }) => [path, patch?.includes('+b')]),
      [['b.md', true]],
    )
  }
})

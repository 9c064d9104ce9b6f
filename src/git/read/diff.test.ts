import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  plainEnvironment,
  plainGit,
  signal,
  temporaryFolder,
  testRepository,
  waitForHistory,
} from '../../../test/support/git-remote.ts'

const wantsMain = { branch: 'main', branches: [] }
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}\n`).join('')

test('every kind of change is listed with counts and patches', async (t) => {
  const { remote, repository } = await testRepository(t)
  const from = remote.commit('main', {
    'changed.md': lines(10),
    'deleted.md': 'x\n',
    'old.md': lines(50),
    'pure.md': lines(30),
    'picture.png': Buffer.from([0, 1, 2]),
    'mode.sh': 'x\n',
    'becomes-link': 'target',
  })
  remote.commit('main', {
    'changed.md': `${lines(9)}diff --git a/fake b/fake\n--- a/fake\n`,
    'deleted.md': null,
    'old.md': null,
    'new name.md': `${lines(50)}more\n`,
    'pure.md': null,
    'dir/pure.md': lines(30),
    'picture.png': Buffer.from([0, 1, 3]),
    'ü "q"\n.md': 'odd\n',
    'no-newline.md': 'x',
    'empty.md': '',
  })
  const link = remote.git(['hash-object', '-w', '--stdin'], 'target')
  const rest = remote.git(['ls-tree', 'main']).replace(/^.*becomes-link$/m, `120000 blob ${link}\tbecomes-link`)
  const tree = remote.git(['mktree'], `${rest.replace(/100644(.*mode\.sh)/, '100755$1')}\n`)
  const to = remote.git(['commit-tree', '-p', 'main', '-m', 'x', tree])
  remote.git(['update-ref', 'refs/heads/main', to])
  await repository.fetch(wantsMain, signal())
  await waitForHistory(repository)
  const files = await repository.diffFiles(from, to)
  const names = files.map(({ path, previousPath, status }) => ({ path, previousPath, status }))
  assert.deepEqual(await repository.changedFiles(from, to), names)
  const shown = files.map(({ path, previousPath, status, binary, additions, deletions }) => [
    path,
    previousPath,
    status,
    binary,
    additions,
    deletions,
  ])
  assert.deepEqual(shown, [
    ['becomes-link', null, 'modified', false, 0, 0],
    ['changed.md', null, 'modified', false, 2, 1],
    ['deleted.md', null, 'deleted', false, 0, 1],
    ['dir/pure.md', 'pure.md', 'renamed', false, 0, 0],
    ['empty.md', null, 'added', false, 0, 0],
    ['mode.sh', null, 'modified', false, 0, 0],
    ['new name.md', 'old.md', 'renamed', false, 1, 0],
    ['no-newline.md', null, 'added', false, 1, 0],
    ['picture.png', null, 'modified', true, 0, 0],
    ['ü "q"\n.md', null, 'added', false, 1, 0],
  ])
  const patch = new Map(files.map((file) => [file.path, file.patch]))
  assert.match(
    patch.get('changed.md') ?? '',
    /^diff --git a\/changed\.md b\/changed\.md\nindex .*\n--- a\/changed\.md\n\+\+\+ b\/changed\.md\n@@/,
  )
  assert.match(patch.get('changed.md') ?? '', /\n\+diff --git a\/fake b\/fake\n\+--- a\/fake\n$/)
  assert.match(patch.get('becomes-link') ?? '', /deleted file mode 100644[^]*new file mode 120000/)
  assert.match(patch.get('mode.sh') ?? '', /old mode 100644\nnew mode 100755/)
  assert.match(patch.get('new name.md') ?? '', /rename from old\.md\nrename to new name\.md/)
  assert.match(patch.get('no-newline.md') ?? '', /No newline at end of file/)
  assert.equal(patch.get('picture.png'), '')
  for (const file of files)
    if (!file.binary) assert.equal(file.patch.match(/^diff --git /gm)?.length, file.path === 'becomes-link' ? 2 : 1)
})

test('git applies the diff to the old tree and gets the new one', async (t) => {
  const folder = temporaryFolder(t)
  const { remote, repository } = await testRepository(t)
  const content = fc.constantFrom('', 'a\n', 'a\nb\n', 'diff --git a/x b/x\n', `${lines(30)}x`, lines(30))
  const files = fc.dictionary(fc.constantFrom('a', 'b c', 'd/e', 'ü', '-x'), content, { minKeys: 1 })
  plainGit(folder, ['init', '--quiet', 'work'])
  const work = join(folder, 'work')
  plainGit(work, ['remote', 'add', 'origin', remote.directory])
  let count = 0
  await fc.assert(
    fc.asyncProperty(files, files, async (one, two) => {
      count += 1
      const [left, right] = [`l${count}`, `r${count}`]
      const from = remote.commit(left, { ...one, always: 'x' })
      const to = remote.commit(right, { ...two, always: 'x' })
      await repository.fetch({ branch: left, branches: [right] }, signal())
      const diff = await repository.diff(from, to)
      plainGit(work, ['fetch', '--quiet', 'origin', left, right])
      plainGit(work, ['read-tree', from])
      if (diff !== '')
        execFileSync('git', ['apply', '--cached', '-'], { cwd: work, input: diff, env: plainEnvironment })
      assert.equal(plainGit(work, ['write-tree']), remote.git(['rev-parse', `${to}^{tree}`]))
      const parts = (await repository.diffFiles(from, to)).map((file) => file.patch)
      assert.equal(
        parts.toSorted().join(''),
        diff
          .split(/^(?=diff --git )/m)
          .toSorted()
          .join(''),
      )
    }),
    { numRuns: 10 },
  )
})

test('programs named in attributes or configuration do not affect a diff', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const from = remote.commit('main', { '.gitattributes': '*.md diff=evil -text\n*.md binary\n', 'a.md': 'a\n' })
  const to = remote.commit('main', { 'a.md': 'b\n' })
  await repository.fetch(wantsMain, signal())
  await waitForHistory(repository)
  const mirror = join(directory, 'prj_test.git')
  for (const key of ['diff.evil.command', 'diff.evil.textconv', 'diff.external'])
    plainGit(mirror, ['config', key, `touch ${directory}/ran`])
  for (const line of ['color.ui=always', 'diff.noprefix=true', 'diff.mnemonicPrefix=true'])
    plainGit(mirror, ['config', ...line.split('=')])
  assert.match(await repository.diff(from, to), /^diff --git a\/a\.md b\/a\.md\n[^]*\n-a\n\+b\n$/)
  assert.throws(() => plainGit(directory, ['hash-object', 'ran']), 'the program did not run')
})

test('a huge diff is cut at a line and says so, and lists all files', async (t) => {
  const { remote, repository } = await testRepository(t)
  const from = remote.commit('main', { 'z.md': 'z\n' })
  const big = `${'x'.repeat(99)}\n`.repeat(4_500)
  const huge = `${'y'.repeat(99)}\n`.repeat(6_000)
  const files = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`${index + 10}.md`, `${index}\n${big}`]))
  const to = remote.commit('main', { ...files, '0.md': 'first\n', '1.md': huge, 'z.md': 'zz\n' })
  await repository.fetch(wantsMain, signal())
  await waitForHistory(repository)
  const diff = await repository.diff(from, to)
  assert.ok(diff.length < 5_000_200)
  assert.match(diff.slice(-200), /\n\+x+\n… cut here: the diff is larger than 5 MB\n$/)
  const listed = await repository.diffFiles(from, to)
  assert.equal(listed.length, 17)
  // 1.md is too long for itself; 19.md is where the whole diff was cut.
  const withPatch = listed.filter((file) => file.patch !== '').map((file) => file.path)
  assert.deepEqual(withPatch, ['0.md', ...Array.from({ length: 9 }, (_, index) => `${index + 10}.md`)])
  assert.equal(listed.find((file) => file.path === '20.md')?.additions, 4_501)
})

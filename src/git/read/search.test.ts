import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Files } from '../../../test/support/git-objects.ts'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import { type Overlay, createOverlay } from '../write/overlay.ts'
import type { GitOptions, SearchQuery } from '../types.ts'

const literal: SearchQuery = { pattern: 'needle', syntax: 'literal', ignoreCase: false, globs: [], limit: 100 }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function over(t: TestContext, files: Files, given: Partial<GitOptions> = {}): Promise<Overlay> {
  const { remote, repository } = await testRepository(t, given)
  const base = remote.commit('main', files)
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  return await createOverlay(repository, base, [])
}

async function found(overlay: Overlay, query: Partial<SearchQuery>): Promise<string[]> {
  const result = await overlay.search({ ...literal, ...query }, signal())
  return result.matches.map((match) => `${match.path}:${match.line}:${match.text}`)
}

test('literal and regular patterns find lines in order of path and line', async (t) => {
  const overlay = await over(t, {
    'b.md': 'x\nneedle 1\nNeedle.\r\n',
    'a/z.md': 'a needle\n',
    'a:b\n.md': 'needle\n',
    'a-b.md': 'é needle without end',
  })
  assert.deepEqual(await found(overlay, {}), [
    'a-b.md:1:é needle without end',
    'a/z.md:1:a needle',
    'a:b\n.md:1:needle',
    'b.md:2:needle 1',
  ])
  assert.deepEqual(await found(overlay, { pattern: 'NEEDLE.', ignoreCase: true }), ['b.md:3:Needle.'])
  assert.deepEqual(await found(overlay, { pattern: '^.{2}n[e]+dle|[0-9]$', syntax: 'regex' }), [
    'a-b.md:1:é needle without end',
    'a/z.md:1:a needle',
    'b.md:2:needle 1',
  ])
  assert.deepEqual(await found(overlay, { pattern: '.{2}n' }), [])
  assert.deepEqual(await found(overlay, { pattern: '--open-files-in-pager=touch' }), [])
  assert.deepEqual(await found(overlay, { pattern: '-e', syntax: 'regex' }), [])
})

test('classes, lazy counts and ends of lines are found as they are in other tools', async (t) => {
  const long = `${'x'.repeat(3000)}é needle-7${'y'.repeat(3000)}`
  const overlay = await over(t, { 'a.md': 'wait 30ms\nwait\n', 'b.md': 'one_two\r\n{x}\n', 'c.md': long })
  const lines = async (pattern: string) => await found(overlay, { pattern, syntax: 'regex' })
  assert.deepEqual(await lines(String.raw`\d+ms`), ['a.md:1:wait 30ms'])
  assert.deepEqual(await lines(String.raw`(?i)\bWAIT\b[^\d]+[\d]`), ['a.md:1:wait 30ms'])
  assert.deepEqual(await lines(String.raw`^[\w]+?$`), ['a.md:2:wait', 'b.md:1:one_two'])
  assert.deepEqual(await lines('{x}'), ['b.md:2:{x}'])
  const [far = ''] = await lines(String.raw`needle-\d`)
  assert.match(far, /^c\.md:1:…x+é needle-7y+…$/)
  assert.ok(far.indexOf('needle') < 150, far)
})

test('files can be left out, and those without a match are listed', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle', 'es/a.md': 'needle', 'b.md': 'x', 'c.md': 'x\0', 'd.md': '' })
  assert.deepEqual(await found(overlay, { exclude: ['es/**', 'b*'] }), ['a.md:1:needle'])
  assert.deepEqual(await found(overlay, { globs: ['**/a.md'], exclude: ['es/**'] }), ['a.md:1:needle'])
  assert.deepEqual(await found(overlay, { without: true }), ['b.md:0:', 'd.md:0:'])
  const first = await overlay.search({ ...literal, without: true, limit: 1 }, signal())
  assert.deepEqual([first.matches.length, first.truncated], [1, true])
})

test('globs choose files: ** crosses folders, * does not, and no glob is magic', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle', 'd/b.md': 'needle', 'd/e/c.mdx': 'needle', '(top)x': 'needle' })
  for (const [globs, paths] of [
    [['*.md'], 'a.md'],
    [['**/*.md'], 'a.md d/b.md'],
    [['d/**'], 'd/b.md d/e/c.mdx'],
    [['/d/*'], 'd/b.md'],
    [['d/*', '*.md'], 'a.md d/b.md'],
    [['**/c.md?'], 'd/e/c.mdx'],
    [[':(exclude)a.md'], ''],
    [['!a.md'], ''],
    [['../*'], ''],
    [['absent'], ''],
  ] as const) {
    const lines = await found(overlay, { globs }).catch((error: { code: string }) => [error.code])
    assert.equal(lines.map((line) => line.split(':')[0]).join(' '), paths, globs.join())
  }
})

test('a search sees written, moved and removed files', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle a', 'b.md': 'needle b', 'c.md': 'needle c' })
  await overlay.write('a.md', bytes('gone'))
  await overlay.move('b.md', 'z.md')
  assert.deepEqual(await found(overlay, {}), ['c.md:1:needle c', 'z.md:1:needle b'])
  await overlay.remove('c.md')
  await overlay.write('n.md', bytes('\nnew needle'))
  assert.deepEqual(await found(overlay, {}), ['n.md:2:new needle', 'z.md:1:needle b'])
})

test('an edit while a search runs does not hide itself from the next search', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle a' })
  await overlay.write('b.md', bytes('needle b'))
  const first = found(overlay, {})
  await overlay.write('b.md', bytes('needle c'))
  await first
  assert.deepEqual(await found(overlay, {}), ['a.md:1:needle a', 'b.md:1:needle c'])
})

test('limits on matches and line length hold and are reported', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle\n'.repeat(50_000), 'b.md': `needle ${'ü'.repeat(600)}\n` })
  const some = await overlay.search({ ...literal, limit: 3 }, signal())
  assert.deepEqual([some.matches.length, some.truncated], [3, true])
  const all = await overlay.search({ ...literal, limit: 50_001 }, signal())
  assert.deepEqual([all.matches.length, all.truncated], [50_001, false])
  const last = all.matches.at(-1)?.text ?? ''
  assert.equal(last, `needle ${'ü'.repeat(493)}…`)
})

test('binary files, links, submodules and files over the limit are not looked into', async (t) => {
  const overlay = await over(
    t,
    { 'bin.md': 'needle\0', 'ok.md': 'needle', 'large.md': `needle${'x'.repeat(100)}` },
    { maxFileBytes: 100 },
  )
  assert.deepEqual(await found(overlay, {}), ['ok.md:1:needle'])
})

test('more large files than a command can name do not stop a search', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`${`${'long'.repeat(60)}/`.repeat(4)}${index}.md`, 'x'.repeat(20)]),
  )
  const overlay = await over(t, { ...files, 'small.md': 'needle' }, { maxFileBytes: 10 })
  assert.deepEqual(await found(overlay, {}), ['small.md:1:needle'])
})

test('an invalid pattern is refused with a reason', async (t) => {
  const overlay = await over(t, { 'a.md': 'needle' })
  for (const [query, reason] of [
    [{ pattern: '' }, /empty/],
    [{ pattern: 'a\nb' }, /line break/],
    [{ pattern: 'a\0b' }, /line break/],
    [{ pattern: 'x'.repeat(1001) }, /1,000/],
    [{ pattern: '(', syntax: 'regex' }, /has no/],
    [{ pattern: '[[:nope:]]', syntax: 'regex' }, /git says: /],
    [{ pattern: 'a{2,1}', syntax: 'regex' }, /git says: /],
    [{ pattern: '((a{1,255}){1,255}){255}', syntax: 'regex' }, /repetition/],
    [{ globs: [''] }, /glob/],
    [{ globs: Array.from({ length: 101 }, () => 'a') }, /globs/],
    [{ globs: ['a'.repeat(1001)] }, /globs/],
  ] as const) {
    await assert.rejects(overlay.search({ ...literal, ...query }, signal()), { code: 'invalid_input', message: reason })
  }
})

test('an endless search stops at its deadline and when its caller aborts', async (t) => {
  const overlay = await over(t, { 'a.md': `${'a'.repeat(60)}\n`.repeat(10_000) }, { timeoutMs: 1_500 })
  const slow = { ...literal, pattern: '(((a*)*)*)*\\3\\2\\1b', syntax: 'regex' as const }
  await assert.rejects(overlay.search(slow, signal()), { code: 'invalid_input', message: /longer than/ })
  await assert.rejects(overlay.search(slow, AbortSignal.abort(new Error('given up'))), /given up/)
})

test('a search that cannot read a file fails, also when git finds no match', async (t) => {
  const directory = temporaryFolder(t)
  const { remote, repository } = await testRepository(t, { directory })
  const base = remote.commit('main', { 'a.md': 'needle\n', 'b.md': 'lost\n' })
  await repository.fetch({ branch: 'main', branches: [] }, signal())
  const tree = await repository.tree(base)
  const mirror = join(directory, 'prj_test.git')
  const packs = readdirSync(join(mirror, 'objects/pack')).filter((name) => name.endsWith('.pack'))
  for (const name of packs) {
    const pack = readFileSync(join(mirror, 'objects/pack', name))
    for (const end of ['pack', 'idx', 'rev'])
      rmSync(join(mirror, 'objects/pack', name.replace(/pack$/, end)), { force: true })
    plainGit(mirror, ['unpack-objects', '-q'], pack)
  }
  const lost = tree.entry('b.md')?.oid ?? ''
  rmSync(join(mirror, 'objects', lost.slice(0, 2), lost.slice(2)))
  await assert.rejects(tree.search(literal, signal()), { code: 'unavailable', message: /damaged/ })
})

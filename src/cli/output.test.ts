import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printDiff } from './output.ts'

test('a diff shows characters that reorder a line by their names', () => {
  const lines: string[] = []
  const output = { print: (line: string) => void lines.push(line), warn: () => undefined, colours: false }
  printDiff(output, '@@ -1 +1 @@\r\n-a\n+is\u202eadmin \u3164\u001b[2J\r\n')
  assert.deepEqual(lines, ['@@ -1 +1 @@', '-a', '+isU+202Eadmin U+3164␛[2J'])
})

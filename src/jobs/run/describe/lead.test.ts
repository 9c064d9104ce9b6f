import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeLead } from './lead.ts'

const changed = (path: string) => ({ path, previousPath: null, status: 'modified' }) as const

test('the first facts name hosts, losses, files outside and refused edits', () => {
  const hosts = ['a.example', 'b.example', 'c', 'd', 'e', 'f`@all'].map((host) => ({ host, path: 'a.md', line: 1 }))
  const losses = [{ path: 'a.md', headings: ['A'], codeBlocks: [], fields: [], words: null }]
  const refused = [1, 2].map((line) => ({ path: 'b.md', line, message: 'adds a script' }))
  const files = ['a.md', 'docs/a.png', 'tools/x.py', 'tools/y.py'].map(changed)
  assert.equal(
    describeLead({ hosts, losses, refused, files, paths: files.map(({ path }) => path) }),
    `**New outside hosts:** \`a.example\`, \`b.example\`, \`c\`, \`d\`, \`e\`, and 1 more

**Lost from the documentation:** parts of 1 page: \`a.md\`

**Files outside the documentation:** 2

**Edits that the policy refused:** 1`,
  )
})

test('a change of pages alone has no first facts', () => {
  assert.equal(describeLead({ hosts: [], losses: [], refused: [], files: [changed('a.md')], paths: ['a.md'] }), '')
})

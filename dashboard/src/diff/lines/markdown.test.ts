import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLowlight } from 'lowlight'
import { markdown } from './markdown.ts'

const lowlight = createLowlight({ markdown })
const classesOf = (text: string) => JSON.stringify(lowlight.highlight('markdown', text)).match(/hljs-\w+/g) ?? []

test('headings are coloured, and the last line of frontmatter is none', () => {
  assert.deepEqual(classesOf('---\ntitle: Install\n---\n\nText.\n'), [])
  assert.deepEqual(classesOf('title: Install\n---\n'), [])
  assert.deepEqual(classesOf('---\ntitle: a\n---\n\n# Install\n'), ['hljs-section'])
  assert.deepEqual(classesOf('## A b\n\n- **c**\n'), ['hljs-section', 'hljs-bullet', 'hljs-strong'])
})

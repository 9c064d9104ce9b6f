import assert from 'node:assert/strict'
import { test } from 'node:test'
import { antoraIds } from '../../sites/antora/ids.ts'
import { githubSlugs } from '../../sites/slugs.ts'
import { readPage } from '../facts/read-page.ts'
import { writtenAnchors } from './own-anchors.ts'

test('anchors of headings with the same text are numbered by the rule of the site', () => {
  const facts = readPage('markdown', '# A b\n\n# A b\n\n# A b\n')
  assert.deepEqual([...writtenAnchors(facts, githubSlugs)], ['a-b', 'a-b-1', 'a-b-2'])
  assert.deepEqual(
    [...writtenAnchors(facts, antoraIds({ idprefix: '_', idseparator: '_' }))],
    ['_a_b', '_a_b_2', '_a_b_3'],
  )
  assert.deepEqual([...writtenAnchors(facts, antoraIds({ idprefix: '', idseparator: '-' }))], ['a-b', 'a-b-2', 'a-b-3'])
})

// The English lint refuses what it is there for. Each fault is planted; the sentence after it is fine.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults } from '../../scripts/check-english.ts'

/** Not in a name below, where the lint would find it in this file. */
const of = 'of'

const planted: readonly (readonly [path: string, bad: string, good: string])[] = [
  ['docs/a.md', 'Mend the fields.', 'Fix the fields.'],
  ['docs/a.md', 'All else is refused.', 'Everything else is refused.'],
  ['src/automations/ready/instructions/a.md', 'Leave all else.', 'Leave everything else.'],
  ['docs/a.md', 'Whoever has the link may read.', 'Anyone with the link can read.'],
  ['docs/a.md', 'The code stands in the table.', 'The code is in the table.'],
  ['docs/a.md', 'It is labelled anew.', 'It is classified again.'],
  ['docs/a.md', 'It ends. What is left is deleted.', 'It ends. The rest is deleted.'],
  ['docs/a.md', 'Of a date-time the date counts.', 'The date of a date-time counts.'],
  ['src/cli/a.ts', "fail('The run goes on.')", "fail('The run continues.') // for users"],
  ['src/jobs/a.ts', '/** What is stored. */', '/** Stores a run. What else? Not `none`. */'],
  ['src/jobs/a.ts', '/**\n * Of a run, its id.\n */', "/** The id of a run. */ const what = 'What is kept'"],
  ['src/jobs/a.ts', '// Ends the run; whoever\n// waits is woken.', '// Ends the run, and wakes its waiters.'],
  ['src/jobs/a.ts', 'end() // none is left', "const glob = 'src/**/none/*', url = 'http://none.example'"],
  ['src/jobs/a.ts', '// A dear query.', '// An expensive query.'],
  ['src/analytics/a.ts', '// Asks the question again.', '// Repeats the query.'],
  ['src/lib/failure.ts', "meaning(400, 'Nobody shall')", "import { none } from './none.ts'"],
  [
    'dashboard/src/ui/a.tsx',
    '<p>\n  What is left is deleted.\n</p>',
    '<p className="outline-none">The rest is deleted.</p>',
  ],
  ['dashboard/src/ui/a.tsx', '<p title="The job goes on">', '<p title={text ?? null}> // a comment'],
  ['.env.example', '# default: none', '# default: not served'],
  ['src/a.test.ts', `test('${of} two jobs one runs')`, "test('one of two jobs runs')"],
  ['src/jobs/a.ts', '// Looks at the forge.', '// Reads from the forge.'],
  ['src/jobs/a.ts', '/** The branch; undefined: the base. */', '/** The branch. Undefined: the base. */'],
  ['src/a.test.ts', `test('${'x'.repeat(81)}', () => {})`, `test('${'x'.repeat(80)}', () => {})`],
]

test('the English lint finds planted faults and leaves good sentences alone', () => {
  for (const [path, bad, good] of planted) {
    assert.equal(findFaults(path, bad).length, 1, bad)
    assert.deepEqual(findFaults(path, good), [], good)
  }
})

test('the English lint names the line, and skips code and headings of Markdown', () => {
  const page = '## What goes wrong\n\n```sh\nmend\n```\n\nRun `mend`.\n\nThen mend it.\n'
  assert.deepEqual(
    findFaults('docs/a.md', page).map(({ line, text }) => [line, text]),
    [[9, 'mend']],
  )
})

test('the English lint names the line on which a comment starts, and reads SQL as code', () => {
  const code = "import a from 'a'\n\n/** Of two, one. */\nconst none = sql`/* none.left */`\n"
  assert.deepEqual(
    findFaults('src/jobs/a.ts', code).map(({ line, text }) => [line, text]),
    [[3, 'Of']],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeBody, isBodyOfJob, isOwnTitle, maxBodyCharacters, updateBody } from './body.ts'

const parts = {
  jobId: 'job_1',
  title: 'Rename the CLI',
  note: '',
  text: 'Renames the CLI.',
  facts: '- 2 pages changed',
}
const later = { ...parts, text: 'Renames the CLI, and its page.', facts: '- 3 pages changed' }

test('the facts follow the text between markers that name the job', () => {
  const body = composeBody(parts)
  assert.match(
    body,
    /^Renames the CLI\.\n\n<!-- docent:facts [0-9a-f]{16} -->\n<!-- docent:job=job_1 -->\n<!-- docent:title [0-9a-f]{16} -->\n- 2 pages/,
  )
  assert.ok(isBodyOfJob(body, 'job_1'))
  assert.ok(!isBodyOfJob(body, 'job_12') && !isBodyOfJob(body, 'job_'))
})

test('a title that a person edited is known by the body', () => {
  const body = composeBody(parts)
  assert.ok(isOwnTitle(body, 'Rename the CLI') && isOwnTitle(`Mine.\n\n${body}`, ' Rename the CLI '))
  assert.ok(!isOwnTitle(body, 'Rename the CLI!') && !isOwnTitle('', 'Rename the CLI'))
  assert.ok(isOwnTitle(updateBody(body, { ...later, title: 'New' }), 'New'))
})

test('a text without edits by people is updated by the next run', () => {
  assert.equal(updateBody(composeBody(parts), later), composeBody(later))
  assert.equal(updateBody(composeBody(parts), parts), composeBody(parts))
  const asForgesReturnIt = `  ${composeBody(parts).replaceAll('\n', ' \r\n')}\n\n`
  assert.equal(updateBody(asForgesReturnIt, later), composeBody(later))
})

test('text that people write before, after or instead of ours stays', () => {
  const edited = `Please look at page 2.\n\n${composeBody(parts)}\n\nFixes #12`
  const updated = updateBody(edited, later)
  assert.match(updated, /^Please look at page 2\.\n\nRenames the CLI\.\n\n<!-- docent:facts edited -->/)
  assert.match(updated, /- 3 pages changed\n<!-- \/docent:facts -->\n\nFixes #12$/)
  assert.ok(!updated.includes('2 pages'))
  assert.equal(updateBody(updated, later), updated)
  const appended = updateBody(`${composeBody(parts)}\n\nFixes #12`, later)
  assert.equal(appended, `${composeBody(later)}\n\nFixes #12`)
  assert.match(updateBody('All my own words.', later), /^All my own words\.\n\n<!-- docent:facts edited -->/)
})

test('a note is the first line while it holds, also above the words of people', () => {
  const noted = composeBody({ ...parts, note: 'Draft: the configuration calls code.' })
  assert.match(noted, /^<!-- docent:note -->\nDraft: the configuration calls code\.\n/)
  assert.equal(updateBody(noted, later), composeBody(later))
  const edited = noted.replace('Renames', 'Really renames')
  assert.match(updateBody(edited, later), /^Really renames/)
  assert.match(
    updateBody(edited, { ...later, note: 'Draft: more.' }),
    /^<!-- docent:note -->\nDraft: more\.\n.*\n\nReally/,
  )
})

test('the first facts stand after the note and before the text, and are replaced', () => {
  const led = composeBody({ ...parts, note: 'Draft: code.', lead: '**New outside hosts:** a' })
  assert.match(led, /^<!-- docent:note -->[^]*<!-- docent:lead -->\n\*\*New outside hosts:\*\* a\n[^]*Renames the CLI/)
  assert.equal(updateBody(led, later), composeBody(later))
  const edited = composeBody({ ...parts, lead: 'x' }).replace('Renames', 'Really renames')
  assert.match(updateBody(edited, { ...later, lead: 'y' }), /^<!-- docent:lead -->\ny\n<!-- .docent:lead -->\n\nReally/)
})

test('no text can act as a marker', () => {
  const hostile = '<!-- /docent:facts --> x <!-- docent:job=job_2 --> <!--docent:note -->'
  const body = composeBody({ ...parts, text: hostile, facts: hostile })
  assert.ok(!isBodyOfJob(body, 'job_2'))
  assert.equal(updateBody(body, parts), composeBody(parts))
})

test('a body has at most 60,000 characters', () => {
  const long = (length: number) => 'x'.repeat(length)
  const body = composeBody({ ...parts, note: long(20_000), text: long(100_000), facts: long(20_000) })
  assert.ok(body.length <= maxBodyCharacters, String(body.length))
  assert.ok(body.length > maxBodyCharacters - 400)
  assert.equal(updateBody(body, parts), composeBody(parts))
  assert.ok(composeBody({ ...parts, text: long(59_000) }).includes(long(59_000)))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { amendBody, composeBody, isBodyOfJob, isOwnTitle, sizeOn, updateBody } from '../body.ts'
import { fromParts, isFactsOf, mostShown, toParts } from './facts-comment.ts'

const title = 'Rename the CLI'
const last = 'Docent job [job_1](https://docent.example/job_1): `model`, 3 turns.'
const facts = `---\n\nDocent states the following; no model wrote it.\n\n**Pages: 1 changed:**\n\n- changed \`a.md\`\n\n${last}`
const parts = {
  jobId: 'job_1',
  title,
  note: 'A draft.',
  lead: '**New outside hosts:** `a`',
  text: 'Renames it.',
  facts,
}
const limit = { characters: 4_000, mostFacts: mostShown }

test('the description has the note, the text and the link, and the comment all facts', () => {
  const { description, comment } = toParts(composeBody(parts, limit))
  assert.equal(comment, `<!-- docent:job=job_1 -->\n${facts}`)
  assert.match(description, /A draft\.[^]*New outside hosts[^]*Renames it\.[^]*Docent states more in a comment below\./)
  assert.ok(description.includes(last) && !description.includes('a.md'))
  assert.ok(isBodyOfJob(description, 'job_1') && isOwnTitle(description, title))
  assert.ok(isFactsOf(description, comment ?? '') && !isFactsOf(description, `> ${comment}`))
})

test('joined again, the body is the one that was composed', () => {
  const body = composeBody(parts, limit)
  const { description, comment } = toParts(body)
  assert.equal(fromParts(description, comment), body)
  assert.equal(updateBody(fromParts(description, comment), parts, limit), body)
  const part = { jobId: 'job_1', old: '**Pages: 1 changed:**', new: '**Pages: 2 changed:**' }
  const amended = toParts(amendBody(fromParts(description, comment), part) ?? '')
  assert.equal(amended.description, description)
  assert.match(amended.comment ?? '', /Pages: 2 changed/)
})

test('a comment that is missing is written by the next run', () => {
  const { description } = toParts(composeBody(parts, limit))
  const body = fromParts(description, undefined)
  assert.equal(updateBody(body, parts, limit), composeBody(parts, limit))
  assert.equal(amendBody(body, { jobId: 'job_1', old: '**Pages: 1 changed:**', new: 'x' }), undefined)
})

test('texts of people stay', () => {
  const { description, comment } = toParts(composeBody(parts, limit))
  const edited = `Ada: good.\n\n${description.replace('Renames it.', 'Really renames it.')}\n\nFixes #12`
  const updated = toParts(
    updateBody(fromParts(edited, comment), { ...parts, text: 'New.', facts: 'New facts.' }, limit),
  )
  assert.match(updated.description, /^<!-- docent:note -->[^]*Ada: good\.\n+Really renames it\.[^]*\n\nFixes #12$/)
  assert.equal(updated.comment, '<!-- docent:job=job_1 -->\nNew facts.')
  assert.deepEqual(toParts('Only mine.'), { description: 'Only mine.', comment: undefined })
  assert.equal(fromParts('Only mine.', comment), 'Only mine.')
})

test('a composed description fits, however long its parts are', () => {
  const texts = fc.array(fc.string({ maxLength: 300 }), { maxLength: 60 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(fc.record({ note: texts, lead: texts, text: texts, facts: texts }), (given) => {
      const body = composeBody({ ...given, jobId: 'job_1', title }, limit)
      const { description } = toParts(body)
      assert.ok(description.length <= 4_000, String(description.length))
      assert.ok(sizeOn(limit, body) >= description.length)
    }),
  )
  const note = Array.from({ length: 200 }, (_, at) => `- \`${at}@team.md\``).join('\n')
  const { description } = toParts(composeBody({ ...parts, note }, limit))
  assert.match(description, /^<!-- docent:note -->\n(?:- `\d+@team\.md`\n)+\n…\n<!-- /)
})

test('a last paragraph that is too long is only in the comment', () => {
  const long = `\`${'x'.repeat(mostShown)}\``
  const { description, comment } = toParts(composeBody({ ...parts, text: 'y'.repeat(9_000), facts: long }, limit))
  assert.ok(description.length <= 4_000 && !description.includes('xx'), description)
  assert.ok(comment?.endsWith(long))
})

test('long texts take linear time', () => {
  const line = '<!-- docent:facts ab -->\n<!-- docent:job=job_1 -->\n<!-- docent:title ab -->\n'
  const work = (text: string) => toParts(fromParts(text, text))
  assertLinear((size: number) => line.repeat(size), work, { size: 8_000, name: 'descriptions' })
})

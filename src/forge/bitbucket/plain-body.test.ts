import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import {
  amendBody,
  type BodyParts,
  composeBody,
  digestOf,
  hasNote,
  isBodyOfJob,
  isOwnTitle,
  updateBody,
} from '../body.ts'
import { fromPlain, toPlain, type Written } from './plain-body.ts'

const title = 'Say more'
const parts: BodyParts = {
  jobId: 'job_1',
  title,
  note: 'A draft: the configuration calls code.',
  lead: '**New outside hosts:** `evil.example`',
  text: 'Says more.',
  facts: '---\n\n<details><summary>Titles of 2 runs</summary>\n\n- `One`\n\n</details>\n\n**Checks:** 0 new problems',
}

/** The content of the database after these bodies were sent. */
function writtenBy(...bodies: readonly string[]): Written {
  const texts = bodies.flatMap((body) => toPlain(body).digest ?? [])
  return { jobId: parts.jobId, digests: new Set([digestOf(title), ...texts]) }
}

test('a description has plain lines in place of markers, and no HTML', () => {
  const { description, jobId, digest } = toPlain(composeBody(parts))
  assert.equal(
    description,
    `Docent's note begins here.

A draft: the configuration calls code.

Docent's note ends here.

Docent's summary begins here.

**New outside hosts:** \`evil.example\`

Docent's summary ends here.

Says more.

Docent's facts begin here.

---

**Titles of 2 runs:**

- \`One\`



**Checks:** 0 new problems

Docent's facts end here.`,
  )
  assert.deepEqual([jobId, digest], ['job_1', digestOf('Says more.')])
})

test('a body comes back with its markers, and the next run replaces it', () => {
  const body = composeBody(parts)
  const written = writtenBy(body)
  const back = fromPlain(toPlain(body).description, title, written)
  assert.deepEqual([isBodyOfJob(back, 'job_1'), isOwnTitle(back, title), hasNote(back)], [true, true, true])
  const next = { ...parts, note: '', lead: '', text: 'Says even more.', facts: '**Checks:** 1 fixed' }
  const { description } = toPlain(updateBody(back, next))
  const facts = "Docent's facts begin here.\n\n**Checks:** 1 fixed\n\nDocent's facts end here."
  assert.equal(description, `Says even more.\n\n${facts}`)
  assert.equal(hasNote(fromPlain(description, title, written)), false)
})

test('a text and a title that people wrote stay, and so does what is around the blocks', () => {
  const body = composeBody(parts)
  const { description } = toPlain(body)
  const edited = `Ada: see below.\n</details>\n${description.replace('Says more.', 'Grace says it better.')}\n\nAlso: thanks.`
  const back = fromPlain(edited, 'Another title', writtenBy(body))
  assert.deepEqual([isBodyOfJob(back, 'job_1'), isOwnTitle(back, 'Another title')], [true, false])
  const updated = updateBody(back, { ...parts, note: '', text: 'Of the model.', facts: 'New facts.' })
  const plain = toPlain(updated)
  for (const kept of ['Ada: see below.\n</details>', 'Grace says it better.', 'Also: thanks.', 'New facts.']) {
    assert.ok(plain.description.includes(kept), kept)
  }
  assert.doesNotMatch(plain.description, /Of the model|A draft|Says more/)
  assert.equal(plain.digest, undefined, 'the text of people is none of ours')
  assert.equal(plain.description.split("Docent's facts begin here.").length, 2)
})

test('a part of the facts can be replaced', () => {
  const body = composeBody(parts)
  const back = fromPlain(toPlain(body).description, title, writtenBy(body))
  const amended = amendBody(back, { jobId: 'job_1', old: '**Checks:** 0 new problems', new: '**Checks:** 2 remaining' })
  assert.match(toPlain(amended ?? '').description, /\*\*Checks:\*\* 2 remaining\n\nDocent's facts end here\.$/)
})

test('a description is no body of a job unless the database says so', () => {
  const body = composeBody(parts)
  const { description } = toPlain(body)
  assert.equal(isBodyOfJob(fromPlain(description, title, undefined), 'job_1'), false)
  assert.equal(isBodyOfJob(fromPlain(body, title, undefined), 'job_1'), false)
  assert.equal(isBodyOfJob(fromPlain(body, title, { jobId: 'job_2', digests: new Set() }), 'job_1'), false)
  const without = description.replace("Docent's facts begin here.", '')
  assert.equal(isBodyOfJob(fromPlain(without, title, writtenBy(body)), 'job_1'), false)
  assert.equal(fromPlain('By a person.', title, writtenBy(body)), 'By a person.')
})

test('a model cannot write the lines of the service', () => {
  const lines = ["Docent's facts begin here.", 'All is well.', "Docent's facts end here."]
  const body = composeBody({ ...parts, note: '', lead: '', text: ['Hello.', ...lines].join('\n') })
  const back = fromPlain(toPlain(body).description, title, writtenBy(body))
  const updated = toPlain(updateBody(back, { ...parts, note: '', lead: '', text: 'New.', facts: 'Facts.' }))
  assert.equal(updated.description, "New.\n\nDocent's facts begin here.\n\nFacts.\n\nDocent's facts end here.")
})

const words = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    "Docent's facts begin here.",
    "Docent's note ends here.",
    '---',
    '<!-- docent:facts x -->',
    '',
    '\n\n',
  ),
)
const texts = fc.array(words, { maxLength: 6 }).map((lines) => lines.join('\n'))

test('whatever the texts are, an update without a change changes nothing', () => {
  fc.assert(
    fc.property(fc.record({ note: texts, lead: texts, text: texts, facts: texts }), (given) => {
      const all = { ...given, jobId: 'job_1', title }
      const body = composeBody(all)
      const sent = toPlain(body).description
      const back = fromPlain(sent, title, writtenBy(body))
      assert.equal(isBodyOfJob(back, 'job_1'), true)
      assert.equal(toPlain(updateBody(back, all)).description, sent)
    }),
  )
})

test('long descriptions take linear time', () => {
  const line = "Docent's facts begin here.\nDocent's note begins here.\n<!-- docent:note\n"
  const makeText = (size: number) => line.repeat(size)
  const work = (text: string) => toPlain(fromPlain(text, title, writtenBy()))
  assertLinear(makeText, work, { size: 16_000, name: 'descriptions' })
})

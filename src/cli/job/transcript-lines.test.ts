import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headLine, parseTranscript } from './transcript-lines.ts'

test('a file that is no transcript is refused with its line, and with how to make one', () => {
  const head = headLine('job_1', null)
  assert.deepEqual(parseTranscript(`${head}\n\n`), { runs: [], turns: [] })
  for (const [text, words] of [
    ['', /^The file is no transcript\. Make one with: docent job transcript/],
    [`${head}\n{"kind":"turn"}`, /^Line 2 of the file is no line of a transcript: turn /],
    ['not JSON', /^Line 1 of the file/],
    [head.replace('"version":1', '"version":2'), /^Line 1 of the file is no line of a transcript: version /],
  ] as const) {
    assert.throws(() => parseTranscript(text), { exit: 'usage', message: words }, text)
  }
})

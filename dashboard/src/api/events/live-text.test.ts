import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addPiece, noText, type TextPiece } from './live-text.ts'

const piece = (offset: number, text: string, turn = 1): TextPiece => ({ runId: 'run_1', turn, offset, text })
const textOf = (...pieces: readonly TextPiece[]) => pieces.reduce(addPiece, noText).text

test('the pieces of a text are joined, and a gap shows', () => {
  assert.equal(textOf(piece(0, 'Hel'), piece(3, 'lo')), 'Hello')
  assert.equal(textOf(piece(0, 'Hel'), piece(9, 'world')), 'Hel\n…\nworld')
  assert.equal(textOf(piece(9, 'world')), '…\nworld', 'the stream was opened in the middle')
  assert.equal(textOf(piece(0, 'Hel'), piece(9, 'wor'), piece(12, 'ld')), 'Hel\n…\nworld')
})

test('a model that starts over, and the next turn, replace the text', () => {
  assert.equal(textOf(piece(0, 'Hello'), piece(0, 'Hi')), 'Hi')
  assert.equal(textOf(piece(0, 'Hello'), piece(0, 'Next', 2)), 'Next')
})

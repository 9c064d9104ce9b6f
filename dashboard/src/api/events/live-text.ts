// The text of the turn that the model is generating, from the pieces that the stream sends. Pure. Pieces may be missing:
// the whole turn comes later, with the event that is kept.

export type TextPiece = {
  readonly runId: string
  readonly turn: number
  /** Where it begins in the text of the turn; 0 again when the model starts over. */
  readonly offset: number
  readonly text: string
}

export type LiveText = { readonly of: string; readonly text: string; readonly end: number }

export const noText: LiveText = { of: '', text: '', end: 0 }

export function addPiece(live: LiveText, { runId, turn, offset, text }: TextPiece): LiveText {
  const of = `${runId}:${turn}`
  const end = offset + text.length
  if (offset === 0) return { of, text, end }
  const isNext = live.of === of && live.end === offset
  const before = live.of === of ? live.text : ''
  return { of, text: isNext ? before + text : `${before}\n…\n${text}`.trimStart(), end }
}

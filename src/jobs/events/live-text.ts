// Sends the model's text to the followers of a job while the model generates it: collects text for 100 ms, sends it in
// notifications, and never stores it. Best effort: text that cannot be sent is dropped. Sending never slows the run and
// never makes it fail.

import type { TextListener } from '../../agent/model/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { notify } from '../../postgres/notify.ts'
import type { Db } from '../../postgres/types.ts'
import { startOf } from '../../lib/plain-text.ts'

/** A piece of a response that the model is generating. */
export type LiveText = {
  readonly runId: string
  readonly turn: number
  /** The offset of the piece in the text, in UTF-16 code units; 0 again when the model starts over. */
  readonly offset: number
  readonly text: string
}

/** Notifications on this channel carry `LiveText` and `jobId`, as JSON. */
export const textChannel = 'docent_text'

export interface LiveTextSender extends TextListener {
  /** Assigns the following text to this turn. */
  begin(turn: number): void
  /** Sends the pending text and stops. */
  close(): Promise<void>
}

type Sending = {
  readonly db: Db
  readonly clock: Clock
  readonly jobId: string
  readonly runId: string
}

const gatherMs = 100
/** A notification holds 7,999 bytes, and a UTF-16 code unit takes at most 6 bytes in JSON. */
const pieceUnits = 1_200
/** Text beyond this limit is dropped. Followers notice a gap, and receive the complete text with the `turn` event. */
const maxPendingUnits = 20 * pieceUnits

export function createLiveText({ db, clock, jobId, runId }: Sending): LiveTextSender {
  const closing = new AbortController()
  const state = { turn: 0, offset: 0, pending: '' }
  let sending: Promise<void> | undefined
  const send = async () => {
    while (state.pending !== '') {
      if (state.pending.length < pieceUnits) await clock.sleep(gatherMs, closing.signal)
      const { turn, offset, pending } = state
      // The turn may have ended meanwhile, and its event has the text.
      if (pending === '') break
      const text = startOf(pending, pieceUnits)
      state.pending = pending.slice(text.length)
      state.offset = offset + text.length
      await notify(db, textChannel, JSON.stringify({ jobId, runId, turn, offset, text })).catch(() => undefined)
    }
    sending = undefined
  }
  return {
    begin: (turn) => Object.assign(state, { turn, offset: 0, pending: '' }),
    discarded: () => Object.assign(state, { offset: 0, pending: '' }),
    text: (delta) => {
      const { length } = state.pending
      state.pending += delta
      if (length + delta.length > maxPendingUnits) {
        state.offset += length + delta.length
        state.pending = ''
      } else if (delta !== '') sending ??= send()
    },
    close: async () => {
      closing.abort()
      await sending
    },
  }
}

/** Returns undefined for an unknown payload. */
export function parseLiveText(payload: string): (LiveText & { readonly jobId: string }) | undefined {
  try {
    return JSON.parse(payload) as LiveText & { readonly jobId: string }
  } catch {
    return undefined
  }
}

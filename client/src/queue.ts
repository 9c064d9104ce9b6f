// A bounded queue that is emptied in batches, one after another. Does not know the meaning or the destination of its
// lines.

import type { Clock } from './clock.ts'

export type QueueOptions = {
  readonly batchSize: number
  readonly flushMs: number
  readonly maxQueued: number
  readonly clock: Clock
  /** Takes one batch. Must not reject. */
  readonly take: (lines: readonly string[]) => Promise<void>
  /** Called when a line is dropped. */
  readonly onDrop: () => void
  /** When aborted, batches leave at once instead of waiting for more lines. */
  readonly hurry: AbortSignal
}

export type Queue = {
  readonly add: (line: string) => void
  readonly length: () => number
  /** Resolves when the queue is empty and its last batch was taken. */
  readonly empty: () => Promise<void>
}

/** The longest batch in UTF-16 code units, far below the service's limit of 5 MiB. */
const maxBatchLength = 1_000_000

export function createQueue({ batchSize, flushMs, maxQueued, clock, take, onDrop, hurry }: QueueOptions): Queue {
  const lines: string[] = []
  const state: { running: Promise<void> | undefined; full: AbortController } = {
    running: undefined,
    full: new AbortController(),
  }

  async function run(): Promise<void> {
    while (lines.length > 0) {
      if (lines.length < batchSize) await clock.sleep(flushMs, AbortSignal.any([state.full.signal, hurry]))
      state.full = new AbortController()
      await take(cutBatch(lines, batchSize))
    }
    state.running = undefined
  }

  return {
    add: (line) => {
      lines.push(line)
      if (lines.length > maxQueued) {
        lines.shift()
        onDrop()
      }
      if (lines.length >= batchSize) state.full.abort()
      state.running ??= run()
    },
    length: () => lines.length,
    empty: async () => await state.running,
  }
}

function cutBatch(lines: string[], batchSize: number): readonly string[] {
  let length = 0
  const past = lines.findIndex((line, index) => {
    length += line.length + 1
    return index === batchSize || length > maxBatchLength
  })
  return lines.splice(0, past === -1 ? lines.length : Math.max(past, 1))
}

// A log of blocks that are acknowledged before they are in the table: syncing a file takes half a millisecond, an insert
// fifty. A follower inserts one segment after the other and removes each once it is inserted and synced. What arrives
// meanwhile becomes the next one, so inserts are large when much arrives. Rows of a segment that a crash left, or an insert
// that failed, may be in the table already, so they are compared with those of the table.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '../../lib/folder.ts'
import { countDamaged, finishSegment, type Report } from './finish-segment.ts'
import { createSegmentQueue, nameOf, type QueueOptions, type SegmentQueue } from './queue.ts'
import { readSegment } from './read-segment.ts'

export type BlockLog = {
  /**
   * Resolves when the block is synced; it is inserted soon. Throws `unavailable` when the log is full, or the disk nearly
   * is.
   */
  append(block: Buffer): Promise<void>
  /** Resolves when everything appended before the call is in the table. Throws what inserting throws. */
  drain(): Promise<void>
  waiting(): Promise<Waiting>
  /** Inserts everything if it can; otherwise, the next process that opens the log does. */
  close(): Promise<void>
}

export type Waiting = {
  /** The size of the blocks that wait to be inserted. */
  readonly bytes: number
  /** How long the oldest of them has waited. */
  readonly seconds: number
  /** Segments that were kept aside because they are damaged. */
  readonly damaged: number
}
export const nothingWaits: Waiting = { bytes: 0, seconds: 0, damaged: 0 }

export type LogOptions = {
  readonly folder: string
  /** The largest size of the log in bytes. */
  readonly limit?: number | undefined
  readonly readSpace?: QueueOptions['readSpace']
  readonly now?: QueueOptions['now']
  /** `mayBeStored`: some of the rows may be in the table. Resolves when all of them are, each once, and synced. */
  readonly insert: (blocks: Buffer, mayBeStored: boolean) => Promise<void>
  readonly report?: Report | undefined
}

const defaultLimit = 1024 ** 3
/** How long the follower waits for more blocks, in milliseconds, unless someone waits for it. */
const gatherMs = 1_000
const retryMs = 2_000

/** First inserts what an earlier process left. Throws what inserting throws. */
export async function openLog(options: LogOptions): Promise<BlockLog> {
  const { folder, limit = defaultLimit, readSpace, now } = options
  const from = await insertLeft(options)
  const queue = createSegmentQueue({ folder, from, limit, readSpace, now })
  const follower = createFollower(queue, options)
  return {
    append: async (block) => {
      await queue.append(block)
      follower.follow()
    },
    drain: follower.drain,
    waiting: async () => {
      const now = performance.now()
      const seconds = (now - (queue.since() ?? now)) / 1_000
      return { bytes: queue.bytes(), seconds, damaged: await countDamaged(folder) }
    },
    close: async () => {
      await follower.drain().catch(() => undefined)
      follower.stop()
      await queue.close()
    },
  }
}

/** Inserts the segments of the queue, one after the other. */
function createFollower(queue: SegmentQueue, { insert, report }: LogOptions) {
  const state = {
    inserted: 0,
    hasFailed: false,
    isStopped: false,
    step: undefined as Promise<void> | undefined,
    timer: undefined as NodeJS.Timeout | undefined,
  }
  const insertFirst = async () => {
    const first = await queue.first()
    if (!first) return
    try {
      const blocks = await readSegment(first.path, first.size)
      if (blocks.whole.length > 0) await insert(blocks.whole, state.hasFailed)
      await queue.leaveFirst((path) => finishSegment(path, blocks, report))
      state.hasFailed = false
    } catch (error) {
      state.hasFailed = true
      throw error
    }
    state.inserted = first.end
  }
  const step = () => {
    clearTimeout(state.timer)
    state.timer = undefined
    state.step ??= insertFirst().finally(() => {
      state.step = undefined
      follow()
    })
    return state.step
  }
  /** Inserts soon what waits. */
  const follow = () => {
    if (state.isStopped || state.step || state.inserted === queue.appended()) return
    if (state.timer && (state.hasFailed || !queue.isFull())) return
    clearTimeout(state.timer)
    const pause = state.hasFailed ? retryMs : queue.isFull() ? 0 : gatherMs
    state.timer = setTimeout(() => void step().catch(() => undefined), pause).unref()
  }
  return {
    follow,
    drain: async () => {
      const end = queue.appended()
      while (state.inserted < end) await step()
    },
    stop: () => {
      state.isStopped = true
      clearTimeout(state.timer)
    },
  }
}

/** Returns a number above those of all segments before. */
async function insertLeft({ folder, insert, report }: LogOptions): Promise<number> {
  await makePrivateFolder(folder)
  const names = (await readdir(folder)).filter((name) => /^\d{16}\.(?:log|segment)$/.test(name)).toSorted()
  for (const name of names) {
    const path = join(folder, name)
    const blocks = await readSegment(path)
    if (blocks.whole.length > 0) await insert(blocks.whole, true)
    await finishSegment(path, blocks, report)
  }
  return Number.parseInt(names.at(-1) ?? nameOf(0), 10) + 1
}

// The segments of a log, in order: blocks are appended to the last one, and the first one leaves when it is in the table.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNearlyFull, type ReadDiskSpace, readDiskSpace } from '../../lib/disk-space.ts'
import { Failure } from '../../lib/failure.ts'
import { createSegment, type Segment } from './segment.ts'

/** A segment that takes no more blocks. */
export type Closed = {
  readonly path: string
  readonly size: number
  readonly since: number
  /** The number of blocks appended up to its end. */
  readonly end: number
}

export type SegmentQueue = {
  /** The number of blocks that were synced. */
  readonly appended: () => number
  readonly bytes: () => number
  /** When the first segment was begun, in milliseconds of `performance.now()`. Undefined: the queue is empty. */
  readonly since: () => number | undefined
  /** True if a segment is full: waiting for more blocks makes no insert larger. */
  readonly isFull: () => boolean
  readonly append: (block: Buffer) => Promise<void>
  /** Closes the first segment if it is also the last one. Undefined: the queue is empty. */
  readonly first: () => Promise<Closed | undefined>
  /** `finish` resolves when no crash brings the first segment back. */
  readonly leaveFirst: (finish: (path: string) => Promise<void>) => Promise<void>
  readonly close: () => Promise<void>
}

export type QueueOptions = {
  readonly folder: string
  /** The number of the first segment. */
  readonly from: number
  /** In bytes, over all segments. */
  readonly limit: number
  readonly readSpace?: ReadDiskSpace | undefined
  /** Monotonic, in milliseconds. */
  readonly now?: (() => number) | undefined
}

/** A larger segment is closed. */
const segmentSize = 4 * 1024 ** 2
/** Bytes that are appended before the disk is asked again, unless a second passes first: others fill it, too. */
const askAfter = 16 * 1024 ** 2
const askAfterMs = 1_000

export function createSegmentQueue(options: QueueOptions): SegmentQueue {
  const { folder, from, limit, readSpace = readDiskSpace, now = () => performance.now() } = options
  const closed: Closed[] = []
  const state = { next: from, appended: 0, unasked: Infinity, askedAt: 0, open: undefined as Segment | undefined }
  const order = { last: Promise.resolve() as Promise<unknown> }
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = order.last.then(work)
    order.last = done.catch(() => undefined)
    return done
  }
  const bytes = () => closed.reduce((sum, { size }) => sum + size, state.open?.size ?? 0)
  const closeOpen = async () => {
    const { open, appended: end } = state
    state.open = undefined
    if (!open) return
    await open.close()
    if (open.size > 0) closed.push({ path: open.path, size: open.size, since: open.since, end })
    else await rm(open.path)
  }
  const checkSpace = async (more: number) => {
    if (bytes() + more > limit) throw full('Too many page views are waiting to be stored.')
    state.unasked += more
    if (state.unasked < askAfter && now() - state.askedAt < askAfterMs) return
    state.unasked = Infinity
    if (isNearlyFull(await readSpace(folder))) throw full('The disk is nearly full.')
    Object.assign(state, { unasked: 0, askedAt: now() })
  }
  return {
    appended: () => state.appended,
    bytes,
    since: () => closed[0]?.since ?? state.open?.since,
    isFull: () => closed.length > 0,
    append: (block) =>
      inOrder(async () => {
        await checkSpace(block.length)
        state.open ??= await createSegment(join(folder, nameOf(state.next++)))
        try {
          await state.open.append(block)
          state.appended += 1
        } catch (error) {
          await closeOpen()
          throw error
        }
        if (state.open.size >= segmentSize) await closeOpen()
      }),
    first: () =>
      inOrder(async () => {
        if (closed.length === 0) await closeOpen()
        return closed[0]
      }),
    leaveFirst: async (finish) => {
      const [one] = closed
      if (!one) return
      await finish(one.path)
      closed.shift()
    },
    close: () => inOrder(closeOpen),
  }
}

/** The order of the names is that of the numbers. */
export function nameOf(number: number): string {
  return `${String(number).padStart(16, '0')}.segment`
}

function full(reason: string): Failure {
  return new Failure('unavailable', `${reason} Send the page views again later.`, { retryAfter: 5 })
}

// Compares two trees through one long-lived `git diff-tree --stdin`, because starting git takes ten times as long as a small
// comparison. A line that is no id is returned by git at once: such a mark follows each request, and ends its response.
//
// Only small comparisons are worth it. For any other, and where git says nothing, the caller starts a process of its own, which
// also tells what is wrong.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createLock } from '../cache/lock.ts'
import { randomString } from '../../lib/id.ts'
import type { Runner } from '../transport/run.ts'
import type { Oid } from '../types.ts'
import type { Objects } from './objects.ts'
import { keepProcess, type Session } from './kept-process.ts'

export type Comparisons = {
  /** The output of git about the two trees. Undefined: one is missing or broken, the response is too long, or it takes too long. */
  ofTrees(before: Oid, after: Oid): Promise<Buffer | undefined>
  end(): Promise<void>
}

const maxBytes = 4_000_000
const timeoutMs = 2_000
/** The process keeps the root folders that it was asked about. */
const mostRequests = 500
const maxKeptBytes = 20_000_000
/** The two root folders together. */
const maxRootBytes = 2_000_000

/** `flags`: of `git diff-tree`. `objects`: of the same repository. */
export function createComparisons(
  runner: Runner,
  gitDir: string,
  flags: readonly string[],
  objects: Pick<Objects, 'size'>,
): Comparisons {
  const inTurn = createLock()
  const kept = keepProcess((onEnd) => {
    return openComparing(runner.start({ gitDir, args: ['diff-tree', '--stdin', ...flags] }), onEnd)
  })
  return {
    ofTrees: async (before, after) => {
      if (![before, after].every((oid) => /^[0-9a-f]{40,64}$/.test(oid))) return undefined
      const sizes = await Promise.all([objects.size(before), objects.size(after)])
      const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? Infinity), 0)
      return bytes > maxRootBytes ? undefined : await inTurn(async () => await kept.current().ask(before, after, bytes))
    },
    end: kept.end,
  }
}

type Comparing = Session & { ask(before: Oid, after: Oid, bytes: number): Promise<Buffer | undefined> }
type Waiting = { readonly chunks: Buffer[]; size: number; readonly resolve: (found: Buffer | undefined) => void }

/** Takes one request at a time. */
function openComparing(child: ChildProcessWithoutNullStreams, onEnd: () => void): Comparing {
  const mark = Buffer.from(`end-${randomString('0123456789', 20)}\n`)
  const state: { waiting: Waiting | null; requests: number; bytes: number } = { waiting: null, requests: 0, bytes: 0 }
  const settle = (found: Buffer | undefined): void => {
    state.waiting?.resolve(found)
    state.waiting = null
  }
  const giveUp = (): void => {
    onEnd()
    child.kill('SIGKILL')
    settle(undefined)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    const { waiting } = state
    if (waiting === null) return
    waiting.chunks.push(chunk)
    waiting.size += chunk.length
    if (waiting.size > maxBytes) return giveUp()
    if (endsWith(waiting.chunks, mark)) settle(Buffer.concat(waiting.chunks).subarray(0, -mark.length))
  })
  child.stderr.resume()
  child.stdin.on('error', () => {})
  child.once('error', giveUp)
  child.once('close', giveUp)
  return {
    child,
    isWaiting: () => state.waiting !== null,
    ask: async (before, after, bytes) => {
      const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
      state.waiting = { chunks: [], size: 0, resolve }
      state.requests += 1
      state.bytes += bytes
      const deadline = setTimeout(giveUp, timeoutMs)
      child.stdin.write(`${before} ${after}\n${mark.toString()}`)
      const found = await promise
      clearTimeout(deadline)
      if (state.requests >= mostRequests || state.bytes >= maxKeptBytes) {
        onEnd()
        child.stdin.end()
      }
      const heading = `${before} ${after}\n`
      return found?.toString('latin1', 0, heading.length) === heading ? found.subarray(heading.length) : undefined
    },
  }
}

function endsWith(chunks: readonly Buffer[], mark: Buffer): boolean {
  const last = chunks.at(-1)
  if (last === undefined) return false
  const end = last.length >= mark.length ? last : Buffer.concat(chunks.slice(-mark.length))
  return end.subarray(-mark.length).equals(mark)
}

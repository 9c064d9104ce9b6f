// Runs one process of `git cat-file --batch`: sends ids and receives objects in the same order. The lengths that git
// states separate the objects, and each object must carry the requested id; otherwise the session ends the process.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { damaged } from '../transport/errors.ts'
import type { Oid } from '../types.ts'

export type GitObject = { readonly type: string; readonly content: Buffer }

export interface ObjectSession {
  readonly child: ChildProcessWithoutNullStreams
  /** Requests an object. Rejects with damage when the process ends before it has responded. */
  ask(oid: Oid): Promise<GitObject | undefined>
  isWaiting(): boolean
}

type Waiting = {
  readonly oid: Oid
  readonly resolve: (found: GitObject | undefined) => void
  readonly reject: (error: unknown) => void
}
type Session = {
  readonly child: ChildProcessWithoutNullStreams
  readonly waiting: Waiting[]
  readonly chunks: Buffer[]
  size: number
  /** The bytes that must arrive before the first response can be complete. */
  need: number
  errors: string
}

const maxErrorLength = 4000

/** `onEnd` is called before the waiting requests are rejected. */
export function openSession(child: ChildProcessWithoutNullStreams, onEnd: () => void): ObjectSession {
  const session: Session = { child, waiting: [], chunks: [], size: 0, need: 1, errors: '' }
  const drop = (): void => {
    onEnd()
    const error = damaged(sanitise(session.errors) || 'cat-file ended before it had answered')
    for (const request of session.waiting.splice(0)) request.reject(error)
  }
  child.stdout.on('data', (chunk: Buffer) => receive(session, chunk))
  child.stderr.on('data', (chunk: Buffer) => (session.errors = (session.errors + chunk).slice(0, maxErrorLength)))
  child.stdin.on('error', () => {})
  child.once('error', drop)
  child.once('close', drop)
  return {
    child,
    isWaiting: () => session.waiting.length > 0,
    ask: async (oid) => {
      const { promise, resolve, reject } = Promise.withResolvers<GitObject | undefined>()
      session.waiting.push({ oid, resolve, reject })
      child.stdin.write(`${oid}\n`)
      return await promise
    },
  }
}

function receive(session: Session, chunk: Buffer): void {
  session.chunks.push(chunk)
  session.size += chunk.length
  while (session.size >= session.need && session.waiting.length > 0) {
    const bytes = session.chunks.length === 1 ? (session.chunks[0] ?? chunk) : Buffer.concat(session.chunks)
    const used = takeObject(session, bytes)
    const rest = bytes.subarray(used)
    session.chunks.splice(0, session.chunks.length, ...(rest.length > 0 ? [rest] : []))
    session.size = rest.length
    if (used === 0) return
    session.need = 1
  }
}

/** Resolves the first request when its object is complete. Returns the bytes consumed; 0 when more are needed. */
function takeObject(session: Session, bytes: Buffer): number {
  const lineEnd = bytes.indexOf(10)
  if (lineEnd < 0) {
    session.need = bytes.length + 1
    return 0
  }
  const [oid = '', type = '', size = ''] = bytes.toString('latin1', 0, lineEnd).split(' ')
  const isMissing = type === 'missing'
  const total = lineEnd + 1 + (isMissing ? 0 : Number(size) + 1)
  if (bytes.length < total) {
    session.need = total
    return 0
  }
  const request = session.waiting.shift()
  if (request?.oid !== oid) {
    session.waiting.unshift(...(request ? [request] : []))
    session.child.kill('SIGKILL')
    return bytes.length
  }
  // A copy, so that one object does not keep a chunk with many others in memory.
  request.resolve(isMissing ? undefined : { type, content: Buffer.from(bytes.subarray(lineEnd + 1, total - 1)) })
  return total
}

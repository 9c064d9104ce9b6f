// Runs one process of `git cat-file --batch-command`: sends ids and receives objects, or their sizes, in the same order. The
// lengths that git states separate the objects, and each object must carry the requested id; otherwise the session ends the process. A
// ref is requested by its full name.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { damaged } from '../transport/errors.ts'
import type { Oid } from '../types.ts'

export type GitObject = { readonly type: string; readonly content: Buffer }
/** In bytes. */
type Sized = { readonly oid: Oid; readonly size: number }
type Wanted = 'contents' | 'info'

export interface ObjectSession {
  readonly child: ChildProcessWithoutNullStreams
  /** Requests an object. Rejects with damage when the process ends before it has responded. */
  ask(oid: Oid): Promise<GitObject | undefined>
  /** Requests the size of an object, which is not read. Rejects in the same way. */
  askSize(oid: Oid): Promise<number | undefined>
  /** Requests the object that a full name of a ref leads to. Rejects in the same way. */
  askRef(ref: string): Promise<Oid | undefined>
  isWaiting(): boolean
}

type Waiting = {
  /** An id, or a ref. */
  readonly name: string
  readonly wanted: Wanted
  readonly resolve: (found: (GitObject & Sized) | Sized | undefined) => void
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
  const request = async <Found extends Sized>(wanted: Wanted, name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Found | undefined>()
    session.waiting.push({ name, wanted, resolve: resolve as Waiting['resolve'], reject })
    child.stdin.write(`${wanted} ${name}\n`)
    return await promise
  }
  return {
    child,
    isWaiting: () => session.waiting.length > 0,
    ask: (oid) => request<GitObject & Sized>('contents', oid),
    askSize: async (oid) => (await request('info', oid))?.size,
    askRef: async (ref) => (await request('info', ref))?.oid,
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
  const hasContent = !isMissing && session.waiting[0]?.wanted === 'contents'
  const total = lineEnd + 1 + (hasContent ? Number(size) + 1 : 0)
  if (bytes.length < total) {
    session.need = total
    return 0
  }
  const request = session.waiting.shift()
  const isOfRef = request?.name.startsWith('refs/') === true && !isMissing
  if (request === undefined || (request.name !== oid && !isOfRef)) {
    session.waiting.unshift(...(request ? [request] : []))
    session.child.kill('SIGKILL')
    return bytes.length
  }
  // A copy, so that one object does not keep a chunk with many others in memory.
  const content = hasContent ? { type, content: Buffer.from(bytes.subarray(lineEnd + 1, total - 1)) } : {}
  request.resolve(isMissing ? undefined : { oid, size: Number(size), ...content })
  return total
}

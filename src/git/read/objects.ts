// Reads objects by id through one long-lived `git cat-file --batch-command` per mirror. Requests are pipelined: 5,000 reads
// take 0.1 s. Accepts full ids only, since one unusual file name could put requests and results out of step. The
// process ends after 30 s without requests and starts again on demand.

import { Failure } from '../../lib/failure.ts'
import { type GitObject, type ObjectSession, openSession } from './object-session.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { damaged, isDamage } from '../transport/errors.ts'
import { type Runner, endProcess } from '../transport/run.ts'
import type { Oid } from '../types.ts'

export interface Objects {
  /** Returns undefined when the mirror has no such object. Throws when the mirror is damaged. */
  read(oid: Oid): Promise<GitObject | undefined>
  /** The size in bytes; undefined when the mirror has no such object, or a broken one. */
  size(oid: Oid): Promise<number | undefined>
  /** Ends the process; a later read starts a new one. */
  end(): Promise<void>
}

const idleMs = 30_000

export function createObjects(runner: Runner, gitDir: string, onDamage: () => void): Objects {
  const source = createSource(runner, gitDir)
  const watched = async <T>(oid: Oid, ask: () => Promise<T>) => {
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new Failure('internal', 'An object id is expected.')
    try {
      return await ask()
    } catch (error) {
      if (isDamage(error)) onDamage()
      throw error
    }
  }
  // A process that was killed from outside says nothing about the mirror, so a request is repeated once.
  return {
    end: source.end,
    size: (oid) => watched(oid, () => source.askSize(oid).catch(() => source.askSize(oid))),
    read: (oid) =>
      watched(oid, async () => (await source.ask(oid).catch(() => source.ask(oid))) ?? (await askAgain(oid))),
  }

  /** Distinguishes a broken object from a missing one with a separate process; both look missing at first. */
  async function askAgain(oid: Oid): Promise<GitObject | undefined> {
    const result = await runner.run({ gitDir, args: ['cat-file', '-e', oid] })
    const isThere = result.code === 0
    if (!isThere && result.stderr === '') return undefined
    // The object may have arrived just now. Otherwise it exists and cannot be read.
    const found = isThere ? await source.ask(oid) : undefined
    if (found !== undefined) return found
    throw damaged(sanitise(result.stderr) || 'an object cannot be read')
  }
}

type Source = Pick<ObjectSession, 'ask' | 'askSize'> & Pick<Objects, 'end'>

/** A session that opens on demand and closes when idle. */
function createSource(runner: Runner, gitDir: string): Source {
  const state: { session: ObjectSession | null; idle: NodeJS.Timeout | null } = { session: null, idle: null }

  function open(): ObjectSession {
    const session = openSession(runner.start({ gitDir, args: ['cat-file', '--batch-command'] }), () => {
      if (state.session === session) state.session = null
    })
    return session
  }

  function watchIdle(): void {
    if (state.idle !== null) clearTimeout(state.idle)
    state.idle = setTimeout(onIdle, idleMs).unref()
  }

  function onIdle(): void {
    state.idle = null
    if (state.session === null) return
    if (state.session.isWaiting()) return watchIdle()
    state.session.child.stdin.end()
    state.session = null
  }

  const current = () => {
    const session = (state.session ??= open())
    watchIdle()
    return session
  }

  return {
    ask: async (oid) => await current().ask(oid),
    askSize: async (oid) => await current().askSize(oid),
    end: async () => {
      if (state.idle !== null) clearTimeout(state.idle)
      state.idle = null
      const { session } = state
      state.session = null
      if (session !== null) await endProcess(session.child)
    },
  }
}

// Keeps a long-lived process of git: it starts on demand, and ends after 30 s without a request.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { endProcess } from '../transport/run.ts'

/** Requests and responses of one process. */
export type Session = { readonly child: ChildProcessWithoutNullStreams; isWaiting(): boolean }

export type KeptProcess<S extends Session> = {
  /** The session of the process that runs, which starts if it does not. */
  readonly current: () => S
  /** Ends the process; a later request starts a new one. */
  readonly end: () => Promise<void>
}

const idleMs = 30_000

/** `open` calls its argument when the process has ended, or should get no more requests. */
export function keepProcess<S extends Session>(open: (onEnd: () => void) => S): KeptProcess<S> {
  const state: { session: S | null; idle: NodeJS.Timeout | null } = { session: null, idle: null }

  function start(): S {
    const session = open(() => {
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

  return {
    current: () => {
      const session = (state.session ??= start())
      watchIdle()
      return session
    },
    end: async () => {
      if (state.idle !== null) clearTimeout(state.idle)
      state.idle = null
      const { session } = state
      state.session = null
      if (session !== null) await endProcess(session.child)
    },
  }
}

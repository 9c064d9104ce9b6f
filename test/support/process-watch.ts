// Watches the arguments and the environment of all other processes of the machine, in /proc.

import { readFileSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

export type ProcessWatch = {
  /** The findings as `<file in /proc>: <needle>`, each once. */
  readonly seen: ReadonlySet<string>
  /** Resolves after a complete pass over all processes. */
  pass(): Promise<void>
  stop(): Promise<void>
}

/** Reads /proc repeatedly until it is stopped, and records every file that contains one of the needles. */
export function watchProcesses(needles: readonly string[]): ProcessWatch {
  const seen = new Set<string>()
  const state = { isStopped: false, passes: 0 }
  const look = (): void => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      for (const file of ['cmdline', 'environ']) {
        const text = readQuietly(`/proc/${pid}/${file}`)
        for (const needle of needles) if (text.includes(needle)) seen.add(`${file}: ${needle}`)
      }
    }
    state.passes += 1
  }
  const work = (async () => {
    while (!state.isStopped) {
      look()
      await setImmediate()
    }
  })()
  return {
    seen,
    pass: async () => {
      const until = state.passes + 2
      while (!state.isStopped && state.passes < until) await setImmediate()
    },
    stop: async () => {
      state.isStopped = true
      await work
    },
  }
}

/** Returns an empty text if the process has ended or belongs to another user. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

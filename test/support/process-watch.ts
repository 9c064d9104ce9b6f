// Watches the arguments and the environment of all processes that a process has started, in /proc.

import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { SecretSearch } from './secret-search.ts'

export type ProcessWatch = {
  /** The findings as `<file in /proc>: <result of the search>`, each once. */
  readonly seen: ReadonlySet<string>
  /** Makes a complete pass over all processes. */
  look(): void
  stop(): Promise<void>
}

const pauseMs = 20

/** Reads /proc repeatedly until it is stopped. `root`: its descendants are watched. */
export function watchProcesses(search: SecretSearch, root = process.pid): ProcessWatch {
  const seen = new Set<string>()
  const parents = new Map<number, number>()
  const searched = new Map<number, Buffer>()
  const stopping = new AbortController()
  const own = readQuietly(`/proc/${root}/cmdline`)
  const look = (): void => {
    const running = readdirSync('/proc').map(Number).filter(Number.isInteger)
    for (const pid of running) if (!parents.has(pid)) parents.set(pid, parentOf(pid))
    for (const pid of running.filter((one) => descends(one, root, parents))) {
      const command = readQuietly(`/proc/${pid}/cmdline`)
      // Until it starts its program, a new process is a copy of the old one.
      if (command.equals(own) || searched.get(pid)?.equals(command)) continue
      searched.set(pid, command)
      for (const found of search(command)) seen.add(`cmdline: ${found}`)
      for (const found of search(readQuietly(`/proc/${pid}/environ`))) seen.add(`environ: ${found}`)
    }
  }
  const work = (async () => {
    while (!stopping.signal.aborted) {
      look()
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    seen,
    look,
    stop: async () => {
      stopping.abort()
      await work
    },
  }
}

function descends(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  let at = parents.get(pid)
  while (at !== undefined && at > 1 && at !== root) at = parents.get(at)
  return at === root
}

/** The fourth word of `stat`; the second may have spaces, in parentheses. */
function parentOf(pid: number): number {
  const text = readQuietly(`/proc/${pid}/stat`).toString('latin1')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

/** Empty when the process has ended or belongs to another user. */
function readQuietly(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

// Reads objects by id through one long-lived `git cat-file --batch-command` per mirror. Requests are pipelined: 5,000 reads
// take 0.1 s. Accepts full ids only, since one unusual file name could put requests and results out of step.

import { Failure } from '../../lib/failure.ts'
import { type GitObject, type ObjectSession, openSession } from './object-session.ts'
import { keepProcess } from './kept-process.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { damaged, isDamage } from '../transport/errors.ts'
import type { Runner } from '../transport/run.ts'
import type { Oid } from '../types.ts'
import { branchRef } from '../write/refname.ts'

export interface Objects {
  /** Returns undefined when the mirror has no such object. Throws when the mirror is damaged. */
  read(oid: Oid): Promise<GitObject | undefined>
  /** The size in bytes; undefined when the mirror has no such object, or a broken one. */
  size(oid: Oid): Promise<number | undefined>
  /** The object that a branch leads to, if both are there. The caller has checked the name (`branchProblem`). */
  branch(name: string): Promise<Oid | undefined>
  /** Ends the process; a later read starts a new one. */
  end(): Promise<void>
}

/** git reads such a name as that of a commit, as `git describe` prints it, if there is no such branch. */
const likeDescribed = /-g[0-9a-f]{4,}$/i

export function createObjects(runner: Runner, gitDir: string, onDamage: () => void): Objects {
  const kept = keepProcess((onEnd) =>
    openSession(runner.start({ gitDir, args: ['cat-file', '--batch-command'] }), onEnd),
  )
  const source: Pick<ObjectSession, 'ask' | 'askRef' | 'askSize'> = {
    ask: async (oid) => await kept.current().ask(oid),
    askSize: async (oid) => await kept.current().askSize(oid),
    askRef: async (ref) => await kept.current().askRef(ref),
  }
  const watched = async <T>(oid: Oid, ask: () => Promise<T>) => {
    if (!/^[0-9a-f]{40,64}$/.test(oid)) throw new Failure('internal', 'An object id is expected.')
    return await noticed(ask)
  }
  const noticed = async <T>(ask: () => Promise<T>) => {
    try {
      return await ask()
    } catch (error) {
      if (isDamage(error)) onDamage()
      throw error
    }
  }
  // A process that was killed from outside says nothing about the mirror, so a request is repeated once.
  return {
    end: kept.end,
    branch: async (name) => {
      const ref = branchRef(name)
      if (likeDescribed.test(name)) return await askBranch(ref)
      return await noticed(() => source.askRef(ref).catch(() => source.askRef(ref)))
    },
    size: (oid) => watched(oid, () => source.askSize(oid).catch(() => source.askSize(oid))),
    read: (oid) =>
      watched(oid, async () => (await source.ask(oid).catch(() => source.ask(oid))) ?? (await askAgain(oid))),
  }

  async function askBranch(ref: string): Promise<Oid | undefined> {
    const { stdout } = await runner.run({ gitDir, args: ['show-ref', '--verify', '--hash', '--', ref] })
    return /^[0-9a-f]{40,64}$/.exec(stdout.toString('latin1').trim())?.[0]
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

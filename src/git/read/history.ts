// Reads the history of commits: ids, dates, and how commits follow each other; nothing that a person wrote.
//
// A mirror that was fetched a moment ago has no history yet. What is here proves that a commit follows another one, and is
// said at once; that it does not, only the whole history proves. So every other result waits for it.

import { LRUCache } from 'lru-cache'
import type { HistoryFetch, WholeMirror } from '../cache/history-fetch.ts'
import { type Mirror, failureOf, git, tryGit } from '../cache/mirror.ts'
import type { Ancestry, Oid, PastCommit } from '../types.ts'
import { readCommit } from '../write/commit-object.ts'

export type History = Pick<Ancestry, keyof Ancestry>

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799

/** A base branch that has not moved has the same history. 2,000 commits take about 200 kB. */
const mostKept = 2

export function createHistory(mirror: Mirror, { present, arrived }: HistoryFetch): History {
  const kept = new LRUCache<string, readonly PastCommit[]>({ max: mostKept })
  /** A commit that is not here may arrive. */
  const readBoth = async (commits: readonly [Oid, Oid], signal: AbortSignal) => {
    const found = await Promise.all(commits.map((oid) => mirror.objects.read(oid)))
    if (found.includes(undefined) && !(await present())) await arrived(signal)
    return await Promise.all([readCommit(mirror, commits[0]), readCommit(mirror, commits[1])])
  }
  return {
    history: async (commit, limit) => {
      const whole = await present()
      if (!whole) return undefined
      const key = `${commit} ${limit}`
      const history = kept.get(key) ?? (await readHistory(whole, commit, limit))
      kept.set(key, history)
      return history
    },
    isAncestor: async (ancestor, descendant, signal) => {
      await readBoth([ancestor, descendant], signal)
      const whole = await present()
      if (whole) return await follows(whole, ancestor, descendant)
      if (await follows(mirror, ancestor, descendant)) return true
      if (await follows(mirror, descendant, ancestor)) return false
      return await follows(await arrived(signal), ancestor, descendant)
    },
    mergeBase: async (one, other, signal) => {
      const [ofOne, ofOther] = await readBoth([one, other], signal)
      // Needs no process: most runs compare a commit with itself or with its parent.
      if (one === other || ofOther.parents.includes(one)) return one
      if (ofOne.parents.includes(other)) return other
      const whole = await present()
      if (whole) return await findMergeBase(whole, one, other)
      if (await follows(mirror, one, other)) return one
      if (await follows(mirror, other, one)) return other
      return await findMergeBase(await arrived(signal), one, other)
    },
    countMissing: async (of, inside, signal) => {
      await readBoth([of, inside], signal)
      const whole = await present()
      if (!whole && (await follows(mirror, of, inside))) return 0
      const range = `${inside}..${of}`
      const args = ['rev-list', '--count', '--end-of-options', range]
      return Number((await git(whole ?? (await arrived(signal)), { args })).toString('utf8').trim())
    },
  }
}

/** Whether `ancestor` is in the part of the history of `descendant` that is here. */
export async function follows(mirror: Mirror, ancestor: Oid, descendant: Oid): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', '--end-of-options', ancestor, descendant]
  const result = await tryGit(mirror, { args })
  if (result.ended === 'exit' && result.code !== null && result.code <= 1) return result.code === 0
  throw failureOf(mirror, result, { args })
}

async function findMergeBase(mirror: WholeMirror, one: Oid, other: Oid): Promise<Oid | null> {
  const args = ['merge-base', '--end-of-options', one, other]
  const result = await tryGit(mirror, { args })
  if (result.ended === 'exit' && result.code === 0) return result.stdout.toString().trim()
  if (result.ended === 'exit' && result.code === 1) return null
  throw failureOf(mirror, result, { args })
}

/** The newest first, by the dates that their committers wrote. 2,000 commits take about 20 ms. */
async function readHistory(mirror: WholeMirror, commit: Oid, limit: number): Promise<readonly PastCommit[]> {
  await readCommit(mirror, commit)
  const args = ['rev-list', '--timestamp', `--max-count=${limit}`, '--end-of-options', commit]
  const lines = (await git(mirror, { args })).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const [seconds = '', oid = ''] = line.split(' ')
    return { commit: oid, date: toDate(seconds) }
  })
}

/** The date that a committer wrote, who may write anything. */
export function toDate(seconds: string | undefined): Date {
  return new Date(Math.min(Math.max(Number(seconds) || 0, 0), lastSecond) * 1_000)
}

// Reads the history of a commit: ids and dates, nothing that a person wrote.

import { LRUCache } from 'lru-cache'
import { type Mirror, git } from '../cache/mirror.ts'
import type { Oid, PastCommit } from '../types.ts'
import { readCommit } from '../write/commit.ts'

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799

/** A base branch that has not moved has the same history. 2,000 commits take about 200 kB. */
const mostKept = 2

/** The newest first, by the dates that their committers wrote. 2,000 commits take about 20 ms, and are kept. */
export function createHistory(mirror: Mirror) {
  const kept = new LRUCache<string, readonly PastCommit[]>({ max: mostKept })
  return async (commit: Oid, limit: number): Promise<readonly PastCommit[]> => {
    const key = `${commit} ${limit}`
    const history = kept.get(key) ?? (await readHistory(mirror, commit, limit))
    kept.set(key, history)
    return history
  }
}

async function readHistory(mirror: Mirror, commit: Oid, limit: number): Promise<readonly PastCommit[]> {
  await readCommit(mirror, commit)
  const args = ['rev-list', '--timestamp', `--max-count=${limit}`, '--end-of-options', commit]
  const lines = (await git(mirror, { args })).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const [seconds = '', oid = ''] = line.split(' ')
    return { commit: oid, date: new Date(Math.min(Math.max(Number(seconds) || 0, 0), lastSecond) * 1_000) }
  })
}

// Moves the position of an automation to the head of its branch, and stores the commits between, in steps: a branch may have thousands
// of new commits, and a process that dies between two steps continues with the next one.

import type { MainlineCommit, MainlineEntry, Oid } from '../../git/types.ts'
import type { PositionRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { findMove } from './move.ts'
import type { OpenPlace, Place } from './places.ts'
import { beginPosition, storeMove } from './store.ts'

export type Following = Pick<OpenPlace, 'past'> & {
  readonly db: Db
  readonly place: Place
  readonly now: () => Date
  readonly signal: AbortSignal
}

type Head = { readonly branch: string; readonly commit: Oid }

/** Commits of one step. */
const step = 1_000

/** Throws the errors of git. Automations that are at the same commit share what is read. */
export function createFollow({
  db,
  place,
  past,
  now,
  signal,
}: Following): (position: PositionRow, head: Head) => Promise<void> {
  let last: { readonly key: string; readonly commits: readonly MainlineCommit[] } | undefined

  async function describe(added: readonly MainlineEntry[]): Promise<readonly MainlineCommit[]> {
    const key = `${added.length} ${added[0]?.commit} ${added.at(-1)?.commit}`
    if (last?.key === key) return last.commits
    const commits = await past.describe(
      added.map(({ commit }) => commit),
      signal,
    )
    last = { key, commits }
    return commits
  }

  async function follow(position: PositionRow, from: { readonly first: Oid; readonly head: Oid }, to: Oid) {
    const { added, kept, ...found } = await findMove(past, from, to, signal)
    for (let at = 0, head = from.head; at === 0 || at < added.length; at += step) {
      const some = added.slice(at, at + step)
      const end = at + step < added.length ? (some.at(-1)?.commit ?? to) : found.head
      const move = { ...found, head: end, added: some, kept: at === 0 ? kept : undefined }
      await storeMove(db, { position, at: head, place, move, commits: await describe(some), now: now() })
      head = end
    }
  }

  return async (position, head) => {
    const { since, first_commit: first, head_commit: at, branch, repository } = position
    const isOther = branch !== '' && (branch !== head.branch || repository !== place.repository)
    if (first !== null && at !== null && !isOther) return await follow(position, { first, head: at }, head.commit)
    const where = { repository: place.repository, branch: head.branch }
    const start = since === null || isOther ? head.commit : await past.resolve(since, head.commit, signal)
    if (start === undefined) {
      const note = `Nothing starts: the repository has no commit \`${since}\`. Choose another beginning.`
      return await beginPosition(db, position, { ...where, first: null, head: null, note })
    }
    const moved = `It began again at ${head.commit.slice(0, 12)}: it follows another branch now.`
    const note = isOther ? moved : position.note
    await beginPosition(db, position, { ...where, first: start, head: start, note })
    if (start !== head.commit) await follow(position, { first: start, head: start }, head.commit)
  }
}

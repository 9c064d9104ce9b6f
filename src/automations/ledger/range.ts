// The commits of a range of a source, by first parents, for questions such as "since v1.2".

import type { Git } from '../../git/types.ts'
import { findNamed } from '../../jobs/affected-pages/read.ts'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { findPlace, openPlace, type Place } from '../positions/places.ts'

export type RangeContext = { readonly db: Db; readonly git: Git }

/** Tags, branches, commits, dates or `last-tag`. `from` undefined: only the commit `to`. `to` undefined: the head. */
export type RangeNames = { readonly from?: string | undefined; readonly to?: string | undefined }

export type NamedRange = { readonly place: Place; readonly commits: readonly string[] }

/**
 * `source` null: the repository of the project itself. `pointer`: where the request has the names. Throws `not_found` for another source,
 * `invalid_input` for a name of no commit, and the errors of a fetch.
 */
export async function readRange(
  { db, git }: RangeContext,
  {
    projectId,
    source,
    pointer,
  }: { readonly projectId: string; readonly source: string | null; readonly pointer: string },
  { from, to }: RangeNames,
  signal: AbortSignal,
): Promise<NamedRange> {
  const place = await findPlace(db, projectId, { type: 'code', source, paths: [], when: 'merge' })
  if (!place) throw new Failure('not_found', 'The project has no such source.')
  const opened = openPlace(git, place)
  const head = await opened.fetch(signal)
  const find = (name: string, field: string) =>
    findNamed({ past: opened.past, at: head.commit }, name, `${pointer}/${field}`, signal)
  const last = to === undefined ? head.commit : await find(to, 'to')
  if (from === undefined) return { place, commits: [last] }
  const first = await find(from, 'from')
  const listed = (await opened.past.mainline({ to: last, from: first }, signal)) ?? []
  return { place, commits: listed.map(({ commit }) => commit) }
}

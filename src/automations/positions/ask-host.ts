// Asks the API of the host, in place of git, whether a branch has moved. That costs both sides less, and is never more than a hint: git
// reads the head of a branch that may have moved, of one whose host gives no answer, and of each one every hour.

import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import type { FollowedRow, PositionRow } from '../../postgres/schema/automations.ts'
import type { AskedHead, confirmHead } from '../../projects/access/confirm-head.ts'
import type { Place } from './places.ts'

/** Undefined: there is nobody to ask. Throws what the host refuses. */
export type ConfirmHead = (
  repositoryId: string,
  known: AskedHead,
  signal: AbortSignal,
) => ReturnType<typeof confirmHead>

export type Due = FollowedRow & {
  /** The API may be asked: it answered last time, and git has read the head within the hour. */
  readonly asks_host: boolean
}

/** `confirmed`: for the row, which stays as it is without it. */
export type Asked = { readonly isStill: boolean; readonly confirmed?: string; readonly isRefused: boolean }

const notAsked: Asked = { isStill: false, isRefused: false }

export type AskOptions = {
  readonly confirmHead: ConfirmHead
  readonly log: Pick<Log, 'info'>
  readonly signal: AbortSignal
}

/** Throws only the reason of the signal, and errors of the database. */
export async function askHost(
  { confirmHead, log, signal }: AskOptions,
  row: Due,
  place: Place,
  positions: readonly PositionRow[],
): Promise<Asked> {
  const [first] = positions
  if (!row.asks_host || !first || first.head_commit === null || first.branch === '') return notAsked
  const { branch, head_commit: commit } = first
  const isSame = (one: PositionRow) =>
    one.branch === branch && one.head_commit === commit && one.repository === place.repository
  if (!positions.every(isSame)) return notAsked
  const head = { repository: place.repository, branch, commit, isDefault: place.branch === null }
  try {
    const answer = await confirmHead(row.repository_id, { ...head, tags: tagsOf(row, head) }, signal)
    if (!answer?.isStill) return notAsked
    return { isStill: true, isRefused: false, confirmed: JSON.stringify({ head, tags: answer.tags }) }
  } catch (error) {
    signal.throwIfAborted()
    const { code } = toFailure(error)
    log.info({ err: error, code, repositoryId: row.repository_id }, 'a host does not say whether a branch has moved')
    return { isStill: false, isRefused: true }
  }
}

type Tags = AskedHead['tags']
type Confirmed = { readonly head: Omit<AskedHead, 'tags'> & { readonly repository: string }; readonly tags: Tags }

/** Those of another head would confirm that one. */
function tagsOf({ confirmed }: FollowedRow, head: Confirmed['head']): Tags {
  const before = confirmed === null ? undefined : (JSON.parse(confirmed) as Confirmed)
  return before && JSON.stringify(before.head) === JSON.stringify(head) ? before.tags : {}
}

// Sets the commit status of the newest release of each repository that wants one, and again when what it says has changed.
//
//   due ──► claimed ──► counted, the same as said ──► due again after a minute
//     ▲                 said to the forge ──────────► due again after a minute
//     │                 the forge does not respond ─► due again after five minutes, or when it asks
//     │                 the forge refuses ──────────► due again after a day, or with another credential
//     └── (the process dies) after a minute: a status that is sent twice is the same one
//
// It ends with a newer release, or after 90 days.

import { sql } from 'kysely'
import { toFailure } from '../../lib/failure.ts'
import type { Log } from '../../lib/observability/log.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { ReleaseStatusRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import type { Connections } from '../../projects/connections.ts'
import { countFollowers } from '../ledger/followers.ts'
import { countStates } from '../ledger/ledger.ts'
import { countOwed } from '../ledger/states.ts'
import { type SaidRelease, sayRelease } from './words.ts'

export type SayOptions = {
  readonly db: Db
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
  readonly statusesOf: Connections['statusesOf']
  /** The address of the dashboard without a trailing slash. Undefined: a status leads nowhere. */
  readonly dashboardUrl: string | undefined
  readonly signal: AbortSignal
}

/** `credentialAt`: the version of the credential when it was claimed. */
type Due = ReleaseStatusRow & {
  readonly projectId: string
  readonly source: string | null
  readonly credentialAt: Date | null
}

const context = 'docent/docs'
const againMs = 60_000
const unavailableMs = 300_000
const refusedMs = 24 * 3_600_000
const longestDays = 90
const batch = 10

/** Says what is due. Throws only errors of the database. */
export async function sayReleases(options: SayOptions): Promise<void> {
  for (;;) {
    const due = await claimDue(options.db, options.now())
    await Promise.all(due.map((row) => say(options, row)))
    if (due.length < batch || options.signal.aborted) return
  }
}

/** Whether the repository `f` of `followed_repositories` wants a status of its releases. */
export const wantsStatus = sql<boolean>`coalesce((select s.release_status from sources s where s.id = f.source_id),
  (select j.release_status from projects j where j.id = f.project_id and f.source_id is null), false)`

async function claimDue(db: Db, now: Date): Promise<readonly Due[]> {
  const oldest = new Date(now.getTime() - longestDays * 24 * 3_600_000)
  const { rows } = await sql<Due>`/* releases.claim */ with due as (
      select r.repository_id, f.project_id, (select s.name from sources s where s.id = f.source_id) as source,
        c.updated_at as credential_at
      from release_statuses r join followed_repositories f on f.repository_id = r.repository_id
        left join credentials c on c.owner = r.repository_id
      where ${wantsStatus} and r.seen_at > ${oldest} and (r.try_after <= ${now} or (r.refusal is not null
        and r.refused_credential is distinct from c.updated_at))
      order by r.try_after limit ${batch} for update of r skip locked)
    update release_statuses r set try_after = ${new Date(now.getTime() + againMs)},
        refused_credential = case when r.refusal is null then null else due.credential_at end
      from due where r.repository_id = due.repository_id
      returning r.*, due.project_id as "projectId", due.source, due.credential_at as "credentialAt"`.execute(db)
  return rows
}

async function say(options: SayOptions, row: Due): Promise<void> {
  const said = await count(options.db, row)
  if (!said) return
  if (said.state === row.state && said.text === row.text) {
    if (row.refusal !== null) await change(options.db, row, noRefusal)
    return
  }
  try {
    const statuses = await options.statusesOf(row.repository_id, options.signal)
    if (!statuses) return
    const url = linkOf(options.dashboardUrl, row)
    await statuses.setStatus({ commit: row.commit, context, ...said, url }, options.signal)
    await change(options.db, row, { ...said, ...noRefusal, said_at: options.now() })
  } catch (error) {
    if (options.signal.aborted) return
    await storeFailure(options, row, error)
  }
}

/** Undefined: the branch could not be read at the last look, so what is known may be old. */
async function count(db: Db, { projectId, source, since, commits, length }: Due): Promise<SaidRelease | undefined> {
  const { count, unread } = await countFollowers(db, projectId, source)
  if (unread > 0) return undefined
  const counts = await countStates(db, projectId, { source, commits: JSON.parse(commits) as readonly string[] })
  const known = Object.values(counts).reduce((sum, one) => sum + one, 0)
  return sayRelease({ owed: countOwed(counts), notFollowed: length - known, isFollowed: count > 0, since })
}

/** The page of the ledger with the changes of the release. */
function linkOf(dashboardUrl: string | undefined, { projectId, source, since, tag }: Due): string | null {
  if (dashboardUrl === undefined) return null
  const range = since === null ? {} : { from: quoted(since), to: quoted(tag) }
  const query = new URLSearchParams({ source: source ?? '.', ...range })
  return `${dashboardUrl}/projects/${projectId}/ledger?${query.toString()}`
}

/** The dashboard takes a value that is JSON for that: `1.10` for a number. */
function quoted(tag: string): string {
  return /^(?:-?\d|true$|false$|null$)/.test(tag) ? JSON.stringify(tag) : tag
}

type Change = Partial<
  Pick<ReleaseStatusRow, 'refusal' | 'refused_credential' | 'said_at' | 'state' | 'text' | 'try_after'>
>

/** Does nothing if a newer release has taken its place. */
async function change(db: Db, { repository_id: id, commit, seen_at: at }: Due, set: Change): Promise<void> {
  await db
    .updateTable('release_statuses')
    .set(set)
    .where('repository_id', '=', id)
    .where('commit', '=', commit)
    .where('seen_at', '=', at)
    .execute()
}

const noRefusal = { refusal: null, refused_credential: null } as const
const passing: readonly string[] = ['forge_unavailable', 'forge_rate_limited']

async function storeFailure({ db, log, now }: SayOptions, row: Due, error: unknown): Promise<void> {
  const { code, message, retryAfter } = toFailure(error)
  log.warn({ err: error, code, repositoryId: row.repository_id }, 'the commit status of a release was not set')
  const isPassing = passing.includes(code) || code === 'internal'
  const pauseMs = isPassing ? Math.max((retryAfter ?? 0) * 1_000, unavailableMs) : refusedMs
  const again = { try_after: new Date(now().getTime() + pauseMs) }
  if (isPassing) return await change(db, row, again)
  await change(db, row, { ...again, refusal: plainText(message), refused_credential: row.credentialAt })
}

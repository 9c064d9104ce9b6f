// Reads the activity on the pull requests of a job, the oldest first, a page at a time. The comments on Docent's own pull
// requests are kept with the messages that they became (`pulls/comments.ts`); here they look like those of a forge.

import { sql } from 'kysely'
import type { EntryKind } from '../../forge/activity/activity.ts'
import type { PullForge } from '../../forge/forge.ts'
import type { Redactor } from '../../lib/outbound/redactor.ts'
import type { Db } from '../../postgres/types.ts'
import { createCursor, toPage } from '../../requests/cursor.ts'
import { readCallWords } from '../comments/names.ts'
import { getJob } from '../store.ts'
import { readPullMarks } from './marks.ts'
import type { ActivityKind } from './store.ts'

export type ActivityResponse = {
  readonly id: string
  /** The forge's id, unique within the kind. */
  readonly forgeId: string
  readonly kind: ActivityKind
  readonly pull: { readonly forge: PullForge; readonly number: number }
  readonly author: {
    /** null: the forge names nobody. */
    readonly login: string | null
    readonly isBot: boolean
    /** May the account push to the repository? null: not known. */
    readonly mayWrite: boolean | null
  }
  readonly at: string
  readonly text: string
  readonly path: string | null
  readonly line: number | null
  readonly link: string | null
  readonly state: string | null
  readonly isDeleted: boolean
}

export type ActivityPage = {
  readonly activity: readonly ActivityResponse[]
  readonly nextCursor: string | null
  /** Kinds that the credential may not read of the present pull request. */
  readonly notRead: readonly EntryKind[]
  /** With these words at its start, a comment on the pull request is a message to the job. Empty: comments do not count there. */
  readonly callWords: readonly string[]
  /** ISO 8601. Null: no pull request of the job is on a forge. */
  readonly lookedAt: string | null
}

export type ActivityFilter = {
  readonly projectId: string
  readonly jobId: string
  readonly limit: number
  readonly cursor?: string | undefined
}

type Context = { readonly db: Db; readonly redactor: Pick<Redactor, 'redact'>; readonly publicUrl: string }

const cursor = createCursor('a', String.raw`\d{1,15}\.(?:act|cmt)_[a-z0-9]{20}`)

/** Throws `not_found`, and `invalid_input` for an invalid cursor. */
export async function pageActivity(
  { db, redactor, publicUrl }: Context,
  filter: ActivityFilter,
): Promise<ActivityPage> {
  const job = await getJob(db, filter.projectId, filter.jobId)
  const rows = await readRows(db, filter)
  const { page, nextCursor } = toPage(rows, {
    limit: filter.limit,
    cursor,
    keyOf: ({ at, id }) => `${at.getTime()}.${id}`,
  })
  return {
    activity: page.map((row) => ({
      ...toResponse(row, publicUrl),
      text: redactor.redact(row.text),
    })),
    nextCursor,
    notRead: readPullMarks(job.pull_marks)?.off ?? [],
    callWords: await readCallWords(db, job),
    lookedAt: job.pull_checked_at?.toISOString() ?? null,
  }
}

type Row = Omit<ActivityResponse, 'forgeId' | 'pull' | 'author' | 'at' | 'isDeleted'> & {
  readonly forge_id: string
  readonly forge: PullForge
  readonly number: number
  readonly author: string | null
  readonly is_bot: boolean
  readonly may_write: boolean | null
  readonly at: Date
  readonly is_deleted: boolean
}

/** One more than the limit. Times have no more than milliseconds. */
async function readRows(db: Db, { projectId, jobId, limit, cursor: given }: ActivityFilter): Promise<readonly Row[]> {
  const [ms = '-1', id = ''] = given === undefined ? [] : cursor.read(given).split('.')
  const isAfter = (at: string, of: string) =>
    sql`(${sql.ref(at)}, ${sql.ref(of)}) > (to_timestamp(${Number(ms)}::float8 / 1000), ${id}::text)`
  const { rows } = await sql<Row>`/* activity.page */
    select activity.id, forge_id, kind, activity.forge, number, author, is_bot, may_write, at, text, path, line, link, state,
      deleted_at is not null as is_deleted
    from pull_activity as activity left join forge_people as people on people.project_id = ${projectId}
      and people.forge = activity.forge and people.person_id = activity.author_id
    where job_id = ${jobId} and ${isAfter('activity.at', 'activity.id')}
    union all
    select comment.id, comment.id, 'review_comment', 'docent', comment.number, comment.author, false, true,
      comment.created_at, comment.text, comment.path, comment.line, '/pulls/' || pulls.token, null, false
    from pull_comments as comment
      join pulls on pulls.project_id = comment.project_id and pulls.number = comment.number
    where pulls.job_id = ${jobId} and ${isAfter('comment.created_at', 'comment.id')}
    order by at, id limit ${limit + 1}`.execute(db)
  return rows
}

function toResponse(row: Row, publicUrl: string): ActivityResponse {
  const { id, kind, text, path, line, link, state } = row
  return {
    id,
    forgeId: row.forge_id,
    kind,
    pull: { forge: row.forge, number: row.number },
    author: { login: row.author, isBot: row.is_bot, mayWrite: row.may_write },
    at: row.at.toISOString(),
    text,
    path,
    line,
    link: link?.startsWith('/') === true ? `${publicUrl}${link}` : link,
    state,
    isDeleted: row.is_deleted,
  }
}

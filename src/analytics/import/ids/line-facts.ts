// Reads what an import has to know about the lines of a project's logs: the host of lines without one, what distinguishes the ids of
// its page views, and the days with page views under the ids of earlier releases.

import { sql } from 'kysely'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Db } from '../../../postgres/types.ts'
import type { OlderDays } from './older-ids.ts'

export type LineFacts = {
  /** The host of lines without one. Null: it is unknown. */
  readonly host: string | null
  /** Lines that name no host are refused: the project has several sites, and no host was named. */
  readonly needsHost: boolean
  /** Distinguishes page views of the same line under different hosts. */
  readonly idScope: string
  readonly olderDays: OlderDays | null
  /** That of the project, whose days are meant when something is said about the lines of a day. */
  readonly timeZone: string
}

type Deps = { readonly db: Db; readonly store: ClickHouse }

/**
 * `named`: the host that a person named. The first host of a project stays the one whose lines have ids without a scope, so
 * that a log which was imported before the project had a site, or without a host, has the same ids afterwards. Throws
 * `not_found`.
 */
export async function readLineFacts(
  { db, store }: Deps,
  projectId: string,
  named: string | undefined,
): Promise<LineFacts> {
  const sites = await db
    .selectFrom('sites')
    .select('origins')
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .execute()
  const [only] = sites.length === 1 ? (sites[0]?.origins ?? []) : []
  const host = named ?? (only === undefined ? undefined : new URL(only).host)
  const { rows } = await sql<{ line_host: string | null; time_zone: string }>`/* projects.line_host */ update projects
    set line_host = coalesce(line_host, ${host ?? null}) where id = ${projectId} returning line_host, time_zone`.execute(
    db,
  )
  if (!rows[0]) throw new Failure('not_found', 'There is no such project.')
  return {
    host: host ?? null,
    needsHost: host === undefined && sites.length > 1,
    idScope: named === undefined || named === rows[0].line_host ? '' : named,
    olderDays: await findOlderDays(store, projectId),
    timeZone: rows[0].time_zone,
  }
}

async function findOlderDays(store: ClickHouse, projectId: string): Promise<OlderDays | null> {
  const [days] = await store.read<{ count: number } & OlderDays>(
    `/* page_views.older_ids */ SELECT count() AS count, toString(toDate(min(time))) AS from, toString(toDate(max(time))) AS to
      FROM page_views WHERE project_id = {projectId:String} AND source = 'log' AND has_line_id = 0`,
    { projectId },
  )
  return days && days.count > 0 ? { from: days.from, to: days.to } : null
}

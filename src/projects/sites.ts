// Sites: the published documentation of a project, and the web origins that its page views may come from. Only the
// record is here, not the collecting. The id of a site is public.

import { Failure } from '../lib/failure.ts'
import { createId } from '../lib/id.ts'
import type { Db } from '../postgres/types.ts'
import type { SiteRow } from '../postgres/schema.ts'

export type Site = {
  readonly id: string
  readonly name: string
  /** In their normal form, each once. */
  readonly origins: readonly string[]
  /** Are Global Privacy Control and Do Not Track honoured? */
  readonly honoursOptOut: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export type NewSite = Pick<Site, 'name' | 'origins' | 'honoursOptOut'>
export type SiteChange = { readonly [Name in keyof NewSite]?: NewSite[Name] | undefined }

type Place = { readonly projectId: string; readonly siteId: string }

/** Returns an origin as a browser writes it in `Origin`, or undefined if the text is not a web origin. */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.includes('*')) return undefined
  return url.href === `${url.origin}/` ? url.origin : undefined
}

/** By name, then by id. */
export async function listSites(db: Db, projectId: string): Promise<readonly Site[]> {
  const query = db.selectFrom('sites').selectAll().where('project_id', '=', projectId)
  return (await query.orderBy('name').orderBy('id').execute()).map(toSite)
}

/** The project is there: the caller looked. Throws `not_found` when it was deleted just now. */
export function createSite(db: Db, projectId: string, site: NewSite): Promise<Site> {
  return db.transaction().execute(async (trx) => {
    const query = trx.selectFrom('projects').select('id').where('id', '=', projectId).forKeyShare()
    if (!(await query.executeTakeFirst())) throw new Failure('not_found', 'There is no such project.')
    const now = new Date()
    const row = await trx
      .insertInto('sites')
      .values({ id: createId('site'), project_id: projectId, ...toColumns(site), created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSite(row)
  })
}

/** A missing field stays as it is. Throws `not_found`. */
export async function updateSite(db: Db, { projectId, siteId }: Place, change: SiteChange): Promise<Site> {
  const row = await db
    .updateTable('sites')
    .set({ ...toColumns(change), updated_at: new Date() })
    .where('id', '=', siteId)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  return toSite(row ?? noSite())
}

/** Throws `not_found`. */
export async function deleteSite(db: Db, { projectId, siteId }: Place): Promise<void> {
  const deleted = await db
    .deleteFrom('sites')
    .where('id', '=', siteId)
    .where('project_id', '=', projectId)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) noSite()
}

type Columns = Pick<SiteRow, 'name' | 'origins' | 'honours_opt_out'>

function toColumns(site: NewSite): Columns
function toColumns(site: SiteChange): Partial<Columns>
function toColumns({ name, origins, honoursOptOut }: SiteChange): Partial<Columns> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(origins === undefined ? {} : { origins: [...new Set(origins)] }),
    ...(honoursOptOut === undefined ? {} : { honours_opt_out: honoursOptOut }),
  }
}

function toSite(row: SiteRow): Site {
  return {
    id: row.id,
    name: row.name,
    origins: row.origins,
    honoursOptOut: row.honours_opt_out,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function noSite(): never {
  throw new Failure('not_found', 'There is no such site in this project.')
}

// Looks up the project of a site, its origins and its retention in the jobs database, for every page view. Caches
// lookups for two seconds, because page views arrive by the thousand. For that long, a deleted site or a changed
// setting still counts.

import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../../postgres/types.ts'
import type { Schema } from '../../postgres/schema.ts'
import type { CollectingProject } from './collect.ts'
import { hostsOf, sitesByHost } from '../own-hosts.ts'
import { keptSince } from '../retention.ts'

export type CollectingSite = {
  readonly project: CollectingProject
  /** As browsers send them in `Origin`. */
  readonly origins: ReadonlySet<string>
}

export type ProjectLookup = {
  readonly findSite: (siteId: string) => Promise<CollectingSite | undefined>
  readonly findProject: (projectId: string) => Promise<CollectingProject | undefined>
}

const cachedMs = 2_000
const maxCached = 10_000

type Deps = { readonly db: Db; readonly clock: Clock }

export function createProjectLookup({ db, clock }: Deps): ProjectLookup {
  const findProject = cache(clock, (id: string) => readProject({ db, clock }, id))
  const findSite = cache(clock, async (siteId: string) => {
    const site = await db
      .selectFrom('sites')
      .select(['project_id', 'origins'])
      .where('id', '=', siteId)
      .executeTakeFirst()
    const project = site && (await findProject(site.project_id))
    return project && { project, origins: new Set(site.origins) }
  })
  return { findSite, findProject }
}

const columns = ['id', 'time_zone', 'privacy', 'visitor_window', 'retention_months', 'dimensions_off'] as const
type ProjectRow = Pick<Selectable<Schema['projects']>, (typeof columns)[number]>
type Site = { readonly id: string; readonly origins: readonly string[]; readonly honours_opt_out: boolean }

async function readProject({ db, clock }: Deps, id: string): Promise<CollectingProject | undefined> {
  const [project, sites] = await Promise.all([
    db.selectFrom('projects').select(columns).where('id', '=', id).executeTakeFirst(),
    db.selectFrom('sites').select(['id', 'origins', 'honours_opt_out']).where('project_id', '=', id).execute(),
  ])
  return project && toProject(project, sites, clock.now().getTime())
}

function toProject(row: ProjectRow, sites: readonly Site[], now: number): CollectingProject {
  return {
    id: row.id,
    timeZone: row.time_zone,
    privacy: row.privacy,
    visitorWindow: row.visitor_window,
    keptSince: keptSince({ timeZone: row.time_zone, retentionMonths: row.retention_months }, now),
    hosts: hostsOf(sites),
    siteOfHost: sitesByHost(sites),
    dimensionsOff: new Set(row.dimensions_off),
    hostsWithOptOut: hostsOf(sites.filter((site) => site.honours_opt_out)),
  }
}

type Lookup<T> = { readonly since: number; readonly value: Promise<T> }

/** Failed lookups are not cached. Lookups from before the clock was set back don't count. */
function cache<T>(clock: Clock, load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const lookups = new LRUCache<string, Lookup<T>>({ max: maxCached })
  return (id) => {
    const now = clock.now().getTime()
    const last = lookups.get(id)
    if (last && Math.abs(now - last.since) < cachedMs) return last.value
    const value = load(id)
    lookups.set(id, { since: now, value })
    value.catch(() => lookups.delete(id))
    return value
  }
}

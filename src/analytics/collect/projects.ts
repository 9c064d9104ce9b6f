// What collecting asks of the jobs database for every page view: which project a site belongs to and which origins it
// takes. Remembered for two seconds, since page views come by the thousand: so long a deleted site or a changed origin
// may be taken for what it was, and a day that has ended for one that is kept.

import type { Selectable } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../../postgres/types.ts'
import type { Schema } from '../../postgres/schema.ts'
import type { CollectingProject } from './collect.ts'
import { keptSince } from '../upkeep/retention.ts'

export type CollectingSite = {
  readonly project: CollectingProject
  /** As a browser writes them in `Origin`. */
  readonly origins: ReadonlySet<string>
}

export type CollectingProjects = {
  readonly ofSite: (siteId: string) => Promise<CollectingSite | undefined>
  readonly ofId: (projectId: string) => Promise<CollectingProject | undefined>
}

const rememberedMs = 2_000
const maxRemembered = 10_000

type Deps = { readonly db: Db; readonly clock: Clock }

export function createCollectingProjects({ db, clock }: Deps): CollectingProjects {
  const ofId = remember(clock, (id: string) => readProject({ db, clock }, id))
  const ofSite = remember(clock, async (siteId: string) => {
    const site = await db
      .selectFrom('sites')
      .select(['project_id', 'origins'])
      .where('id', '=', siteId)
      .executeTakeFirst()
    const project = site && (await ofId(site.project_id))
    return project && { project, origins: new Set(site.origins) }
  })
  return { ofSite, ofId }
}

type ProjectRow = Pick<Selectable<Schema['projects']>, 'id' | 'time_zone' | 'visitor_window' | 'retention_months'>
type Site = { readonly origins: readonly string[]; readonly honours_opt_out: boolean }

async function readProject({ db, clock }: Deps, id: string): Promise<CollectingProject | undefined> {
  const columns = ['id', 'time_zone', 'visitor_window', 'retention_months'] as const
  const [project, sites] = await Promise.all([
    db.selectFrom('projects').select(columns).where('id', '=', id).executeTakeFirst(),
    db.selectFrom('sites').select(['origins', 'honours_opt_out']).where('project_id', '=', id).execute(),
  ])
  return project && toProject(project, sites, clock.now().getTime())
}

function toProject(row: ProjectRow, sites: readonly Site[], now: number): CollectingProject {
  const hostsOf = (some: readonly Site[]) =>
    new Set(some.flatMap(({ origins }) => origins.map((origin) => new URL(origin).hostname)))
  return {
    id: row.id,
    timeZone: row.time_zone,
    visitorWindow: row.visitor_window,
    keptSince: keptSince({ timeZone: row.time_zone, retentionMonths: row.retention_months }, now),
    hosts: hostsOf(sites),
    hostsWithOptOut: hostsOf(sites.filter((site) => site.honours_opt_out)),
  }
}

type Remembered<T> = { readonly since: number; readonly value: Promise<T> }

/** A look-up that fails is not remembered, nor one from before the clock was set back. */
function remember<T>(clock: Clock, load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Remembered<T>>()
  return (id) => {
    const now = clock.now().getTime()
    const before = known.get(id)
    if (before && Math.abs(now - before.since) < rememberedMs) return before.value
    if (known.size >= maxRemembered) known.clear()
    const value = load(id)
    known.set(id, { since: now, value })
    value.catch(() => known.delete(id))
    return value
  }
}

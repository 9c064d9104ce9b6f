// The hosts on which a project is published: those of the origins of its sites.

import type { Db } from '../postgres/types.ts'

type Site = { readonly origins: readonly string[] }

/** In lower case, without ports. */
export function hostsOf(sites: readonly Site[]): ReadonlySet<string> {
  return new Set(sites.flatMap(({ origins }) => origins.map((origin) => new URL(origin).hostname)))
}

/** Hosts that several sites share are left out. */
export function sitesByHost(sites: readonly (Site & { readonly id: string })[]): ReadonlyMap<string, string> {
  const pairs = sites.flatMap((site) => [...hostsOf([site])].map((host) => ({ host, id: site.id })))
  const byHost = Map.groupBy(pairs, ({ host }) => host)
  return new Map(
    Array.from(byHost).flatMap(([host, [first, ...others]]) =>
      first && others.length === 0 ? [[host, first.id] as const] : [],
    ),
  )
}

export async function readOwnHosts(db: Db, projectId: string): Promise<ReadonlySet<string>> {
  return hostsOf(await db.selectFrom('sites').select('origins').where('project_id', '=', projectId).execute())
}

// Limits the new paths that the public endpoint adds to a project per UTC day, those of referring pages included; views of any
// more paths are stored under one path. Without the limit, anyone could fill the exports with made-up paths. Each process counts
// on its own, starting with what the store knows.

import { LRUCache } from 'lru-cache'
import { textList } from '../../clickhouse/literal.ts'
import type { Column } from '../../clickhouse/native.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PageView } from '../page-view.ts'
import { otherPath } from './path.ts'

const maxNewPaths = 50_000
/** The number of paths, over all projects, that are cached as stored. Other paths are looked up in the store. */
const maxKnown = 200_000

type Path = Pick<PageView, 'projectId' | 'path'>

export type PathCap = {
  /** Returns the views with the paths to store, and the new paths among them. Only changes views from browsers. */
  apply<View extends PageView>(store: ClickHouse, views: readonly View[]): Promise<Capped<View>>
  /** Call this after the views are stored. */
  remember(store: ClickHouse, paths: readonly Path[]): Promise<void>
}

type Capped<View> = { readonly capped: readonly View[]; readonly found: readonly Path[] }

type Known = LRUCache<string, true>

const keyOf = ({ projectId, path }: Path) => `${projectId} ${path}`

export function createPathCap(clock: Clock, most = maxNewPaths): PathCap {
  const known: Known = new LRUCache({ max: maxKnown })
  const counts = createCounts(clock)
  return {
    apply: async (store, views) => {
      const reported = new Map(views.flatMap(pathsOf).map((path) => [keyOf(path), path]))
      const strange = [...reported.values()].filter((path) => !known.get(keyOf(path)))
      const refused = new Set<string>()
      const found: Path[] = []
      const taken = new Map<string, number>()
      for (const { projectId, path } of await withoutKnown(store, strange, known)) {
        const before = taken.get(projectId) ?? (await counts.of(store, projectId))
        if (before < most) found.push({ projectId, path })
        else refused.add(keyOf({ projectId, path }))
        taken.set(projectId, before + 1)
      }
      const toKept = (projectId: string, path: string) => (refused.has(keyOf({ projectId, path })) ? otherPath : path)
      const cap = <View extends PageView>(view: View) =>
        view.source === 'browser'
          ? {
              ...view,
              path: toKept(view.projectId, view.path),
              referrerPath: toKept(view.projectId, view.referrerPath),
            }
          : view
      return { capped: refused.size === 0 ? views : views.map(cap), found }
    },
    remember: async (store, paths) => {
      if (paths.length === 0) return
      const today = counts.today()
      const columns: readonly Column<Path>[] = [
        { name: 'project_id', type: 'LowCardinality(String)', of: ({ projectId }) => projectId },
        { name: 'path', type: 'LowCardinality(String)', of: ({ path }) => path },
        { name: 'first_day', type: 'LowCardinality(String)', of: () => today },
      ]
      await store.insert('paths', columns, paths)
      for (const path of paths) {
        known.set(keyOf(path), true)
        counts.add(path.projectId)
      }
    },
  }
}

const noPaths: readonly Path[] = []

/** The paths that the public endpoint reported: of the page, and of the page that links to a missing one. */
function pathsOf({ source, projectId, path, referrerPath }: PageView): readonly Path[] {
  if (source !== 'browser') return noPaths
  const paths = referrerPath === '' ? [path] : [path, referrerPath]
  return paths.filter((one) => one !== otherPath).map((one) => ({ projectId, path: one }))
}

/** Returns the paths that the store does not contain, and adds the others to `known`. */
async function withoutKnown(store: ClickHouse, strange: readonly Path[], known: Known): Promise<readonly Path[]> {
  if (strange.length === 0) return []
  const rows = await store.readWritten<{ project_id: string; path: string }>(
    `/* paths.known */ SELECT DISTINCT project_id, path FROM paths
      WHERE project_id IN ${textList([...new Set(strange.map(({ projectId }) => projectId))])}
        AND path IN ${textList(strange.map(({ path }) => path))}`,
    {},
  )
  for (const row of rows) known.set(keyOf({ projectId: row.project_id, path: row.path }), true)
  return strange.filter((path) => !known.has(keyOf(path)))
}

/** The number of new paths of each project today. */
function createCounts(clock: Clock) {
  const counts = new Map<string, { readonly day: string; taken: number }>()
  const today = () => clock.now().toISOString().slice(0, 10)
  return {
    today,
    add: (projectId: string) => {
      const count = counts.get(projectId)
      if (count?.day === today()) count.taken += 1
    },
    of: async (store: ClickHouse, projectId: string) => {
      const day = today()
      const count = counts.get(projectId)
      if (count?.day === day) return count.taken
      const [row] = await store.readWritten<{ taken: number }>(
        `/* paths.today */ SELECT count() AS taken FROM (SELECT path FROM paths WHERE project_id = {project:String}
          GROUP BY path HAVING min(first_day) = {day:Date})`,
        { project: projectId, day },
      )
      const taken = row?.taken ?? 0
      counts.set(projectId, { day, taken })
      return taken
    },
  }
}

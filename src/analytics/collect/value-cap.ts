// Limits the new values that page views add to a project per UTC day: paths from the public endpoint, those of referring pages
// included, and campaigns and titles of any source. Page views with any more are stored under one value. Without the limit, anyone
// could fill the exports with made-up ones. Each process counts on its own, starting with what the store knows.

import { LRUCache } from 'lru-cache'
import { textList } from '../../clickhouse/literal.ts'
import type { Column } from '../../clickhouse/native.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { PageView } from '../page-view.ts'
import { otherPath } from './path.ts'

type Kind = 'path' | 'campaign' | 'title'

/** New values a project and day. */
export type Limits = Readonly<Record<Kind, number>>

const usual: Limits = { path: 50_000, campaign: 1_000, title: 1_000 }
/** The number of values, over all projects, that are cached as stored. Other values are looked up in the store. */
const maxKnown = 200_000

const otherValue = '(other)'

/** `other`: what is stored instead of a value too many. `isOpen`: only the public endpoint is limited. */
const limited = [
  { field: 'path', kind: 'path', other: otherPath, isOpen: true },
  // The page that links to a missing one.
  { field: 'referrerPath', kind: 'path', other: otherPath, isOpen: true },
  { field: 'campaign', kind: 'campaign', other: otherValue, isOpen: false },
  { field: 'title', kind: 'title', other: otherValue, isOpen: false },
] as const

/** `text`: as the table `paths` has it. Paths begin with a slash, any other value with its kind. */
type Value = { readonly projectId: string; readonly kind: Kind; readonly text: string }

export type ValueCap = {
  /** Returns the views with the values to store, and the new values among them. */
  apply<View extends PageView>(store: ClickHouse, views: readonly View[]): Promise<Capped<View>>
  /** Call this after the views are stored. */
  remember(store: ClickHouse, values: readonly Value[]): Promise<void>
}

type Capped<View> = { readonly capped: readonly View[]; readonly found: readonly Value[] }

type Known = LRUCache<string, true>

const keyOf = ({ projectId, text }: Pick<Value, 'projectId' | 'text'>) => `${projectId} ${text}`

export function createValueCap(clock: Clock, most: Partial<Limits> = {}): ValueCap {
  const limits = { ...usual, ...most }
  const known: Known = new LRUCache({ max: maxKnown })
  const counts = createCounts(clock)
  return {
    apply: async (store, views) => {
      const reported = new Map(views.flatMap(valuesOf).map((value) => [keyOf(value), value]))
      const strange = [...reported.values()].filter((value) => !known.get(keyOf(value)))
      const refused = new Set<string>()
      const found: Value[] = []
      const taken = new Map<string, number>()
      for (const value of await withoutKnown(store, strange, known)) {
        const counter = `${value.projectId} ${value.kind}`
        const before = taken.get(counter) ?? (await counts.of(store, value))
        if (before < limits[value.kind]) found.push(value)
        else refused.add(keyOf(value))
        taken.set(counter, before + 1)
      }
      return { capped: refused.size === 0 ? views : views.map((view) => cap(view, refused)), found }
    },
    remember: async (store, values) => {
      if (values.length === 0) return
      const today = counts.today()
      const columns: readonly Column<Value>[] = [
        { name: 'project_id', type: 'LowCardinality(String)', of: ({ projectId }) => projectId },
        { name: 'path', type: 'LowCardinality(String)', of: ({ text }) => text },
        { name: 'first_day', type: 'LowCardinality(String)', of: () => today },
      ]
      await store.insert('paths', columns, values)
      for (const value of values) {
        known.set(keyOf(value), true)
        counts.add(value)
      }
    },
  }
}

function textOf(kind: Kind, value: string): string {
  return kind === 'path' ? value : `${kind} ${value}`
}

function cap<View extends PageView>(view: View, refused: ReadonlySet<string>): View {
  const isRefused = (kind: Kind, field: LimitedField) =>
    refused.has(keyOf({ projectId: view.projectId, text: textOf(kind, view[field]) }))
  const others = limitsOf(view).filter(({ kind, field }) => isRefused(kind, field))
  return { ...view, ...Object.fromEntries(others.map(({ field, other }) => [field, other])) }
}

type LimitedField = (typeof limited)[number]['field']

function limitsOf(view: PageView) {
  return limited.filter(({ field, other, isOpen }) => {
    const value = view[field]
    return value !== '' && value !== other && (!isOpen || view.source === 'browser')
  })
}

function valuesOf(view: PageView): readonly Value[] {
  const { projectId } = view
  return limitsOf(view).map(({ kind, field }) => ({ projectId, kind, text: textOf(kind, view[field]) }))
}

/** Returns the values that the store does not contain, and adds the others to `known`. */
async function withoutKnown(store: ClickHouse, strange: readonly Value[], known: Known): Promise<readonly Value[]> {
  if (strange.length === 0) return []
  const rows = await store.readWritten<{ project_id: string; path: string }>(
    `/* paths.known */ SELECT DISTINCT project_id, path FROM paths
      WHERE project_id IN ${textList([...new Set(strange.map(({ projectId }) => projectId))])}
        AND path IN ${textList(strange.map(({ text }) => text))}`,
    {},
  )
  for (const row of rows) known.set(keyOf({ projectId: row.project_id, text: row.path }), true)
  return strange.filter((value) => !known.has(keyOf(value)))
}

/** The number of new values of each kind and project today. */
function createCounts(clock: Clock) {
  const counts = new Map<string, { readonly day: string; taken: number }>()
  const today = () => clock.now().toISOString().slice(0, 10)
  return {
    today,
    add: ({ projectId, kind }: Value) => {
      const count = counts.get(`${projectId} ${kind}`)
      if (count?.day === today()) count.taken += 1
    },
    of: async (store: ClickHouse, { projectId, kind }: Value) => {
      const day = today()
      const count = counts.get(`${projectId} ${kind}`)
      if (count?.day === day) return count.taken
      const [row] = await store.readWritten<{ taken: number }>(
        `/* paths.today */ SELECT count() AS taken FROM (SELECT path FROM paths
          WHERE project_id = {project:String} AND startsWith(path, {start:String})
          GROUP BY path HAVING min(first_day) = {day:Date})`,
        { project: projectId, start: kind === 'path' ? '/' : `${kind} `, day },
      )
      const taken = row?.taken ?? 0
      counts.set(`${projectId} ${kind}`, { day, taken })
      return taken
    },
  }
}

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

const kinds = ['path', 'campaign', 'title'] as const
type Kind = (typeof kinds)[number]

/** New values a project and day. */
export type Limits = Readonly<Record<Kind, number>>

const usual: Limits = { path: 50_000, campaign: 1_000, title: 1_000 }
/** The number of values, over all projects, that are cached as stored. Other values are looked up in the store. */
const maxKnown = 200_000

export const otherValue = '(other)'

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
  const isRefused = (kind: Kind, value: string) =>
    refused.has(keyOf({ projectId: view.projectId, text: textOf(kind, value) }))
  const toKept = (kind: Kind, value: string, other: string) => (isRefused(kind, value) ? other : value)
  const isOpen = view.source === 'browser'
  return {
    ...view,
    path: isOpen ? toKept('path', view.path, otherPath) : view.path,
    referrerPath: isOpen ? toKept('path', view.referrerPath, otherPath) : view.referrerPath,
    campaign: toKept('campaign', view.campaign, otherValue),
    title: toKept('title', view.title, otherValue),
  }
}

const noValues: readonly Value[] = []

/** The values of a page view that are limited. The paths are those of the page, and of the page that links to a missing one. */
function valuesOf({ source, projectId, path, referrerPath, campaign, title }: PageView): readonly Value[] {
  const isOpen = source === 'browser'
  if (!isOpen && campaign === '' && title === '') return noValues
  const given: readonly (readonly [Kind, string])[] = [
    ['path', isOpen ? path : ''],
    ['path', isOpen ? referrerPath : ''],
    ['campaign', campaign],
    ['title', title],
  ]
  return given
    .filter(([, value]) => value !== '' && value !== otherPath)
    .map(([kind, value]) => ({ projectId, kind, text: textOf(kind, value) }))
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

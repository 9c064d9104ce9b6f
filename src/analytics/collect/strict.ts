// Empties all of a page view that strict privacy does not keep: its page, its class, and its visitor stay. A field that is
// not named here is emptied, so a new one needs no change.

import type { Signals } from '../page-view.ts'
import type { NewPageView } from './group-commit.ts'

const kept = [
  'projectId',
  'siteId',
  'viewId',
  'hasLineId',
  'isNamed',
  'otherIds',
  'time',
  'path',
  'representation',
  'status',
  'isDownload',
  'source',
  'visitor',
  'saltWindow',
  'category',
  'agent',
  'operator',
  'rule',
  'verified',
  'listDate',
] as const satisfies readonly (keyof NewPageView)[]
const keptNames: ReadonlySet<string> = new Set(kept)

type Emptied = NewPageView[Exclude<keyof NewPageView, (typeof kept)[number]>]

export function emptyForStrict(view: NewPageView): NewPageView {
  const fields = Object.entries(view) as readonly (readonly [string, Emptied])[]
  const all = fields.map(([name, value]) => [name, keptNames.has(name) ? value : emptyOf(value)])
  return Object.fromEntries(all) as NewPageView
}

/** Fields with numbers or flags have no empty value: the types refuse one that is not kept. */
function emptyOf(value: string | Signals): string | Signals {
  return typeof value === 'string' ? '' : {}
}

/** The columns of the store that strict privacy empties, of all. */
export function emptiedColumns(columns: readonly string[]): readonly string[] {
  const toField = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return columns.filter((name) => !keptNames.has(toField(name)))
}

// Reclassifies the page views of a project by the current rules. Each distinct client is classified once, and only rows
// with a new label are written. Rows without user agent and signals keep their label. The scheme is not stored: a row
// labelled by a rule that needs https was https, any other row has an unknown scheme, which such rules never match. So
// the same list changes no row.

import { numberList, textList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { type Client, listDate } from '../classify/classify.ts'
import { createClassify } from '../classify/cached.ts'
import { rewritePageViews } from '../store.ts'
import { httpsRules } from '../classify/headers.ts'
import { type ClientDimensions, clientDimensions } from '../dimensions/client.ts'
import type { Label, Signals } from '../page-view.ts'
import type { ViewDimension } from '../dimensions/view-dimensions.ts'

export type Reclassify = {
  readonly projectId: string
  /** Milliseconds since 1970. Earlier page views keep their label. */
  readonly since: number
  /** Page views from here on keep their label. Undefined: no end. */
  readonly until?: number | undefined
  /** Those that the project does not keep stay as they are. */
  readonly dimensionsOff: ReadonlySet<ViewDimension>
  /** Called after every portion. */
  readonly onProgress?: (progress: Reclassified) => void
}

/** Counts distinct clients, not page views. */
export type Reclassified = { readonly looked: number; readonly changed: number }

/** Distinct clients in memory at once, about 1 kB each. */
const portion = 20_000
/** Distinct clients per statement. */
const chunk = 500

/** May run twice, and while page views are stored. Each update completes before the next one starts. */
export async function reclassify(store: ClickHouse, task: Reclassify): Promise<Reclassified> {
  const label = createClassify()
  const portions = await countPortions(store, task)
  const sum = { looked: 0, changed: 0 }
  for (let at = 0; at < portions; at += 1) {
    const kinds = await readKinds(store, task, { at, of: portions })
    const changes = kinds
      .map((kind) => toChange(kind, judge(kind, label, task)))
      .filter((change) => change !== undefined)
    for (let from = 0; from < changes.length; from += chunk) {
      await update(store, task, changes.slice(from, from + chunk))
    }
    sum.looked += kinds.length
    sum.changed += changes.length
    task.onProgress?.({ ...sum })
  }
  return sum
}

/** The judgement of the rules of now on a client. The dimensions of a page view from before they were kept are found here, too. */
type Reclassed = Label & ClientDimensions

const labels = ['category', 'agent', 'operator', 'rule'] as const
const dimensions = ['language', 'device', 'browser', 'os'] as const
const reclassed = [...labels, ...dimensions] as const

/** A distinct client: the page views with the same input for the rules and the same label. */
type Kind = Reclassed & {
  /** 64-bit hash of all fields, as text. */
  readonly key: string
  readonly user_agent: string
  readonly signals: string
  readonly source: Client['source']
  readonly representation: Client['representation']
}

type Change = { readonly key: string; readonly to: Reclassed }

const kindColumns = `user_agent, signals, source, representation, ${reclassed.join(', ')}`
const keyOfKind = `sipHash64(${kindColumns})`
const scope = `project_id = {projectId:String} AND time >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND time < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  AND (user_agent != '' OR signals != '')`

/** The last year that the store can hold is 2299. */
const endOfTime = Date.UTC(2299, 0)

function toParams({ projectId, since, until = endOfTime }: Reclassify) {
  return { projectId, since, until }
}

async function countPortions(store: ClickHouse, task: Reclassify): Promise<number> {
  const sql = `/* page_views.count_kinds */ SELECT uniq(${keyOfKind}) AS kinds FROM page_views WHERE ${scope}`
  const [row] = await store.read<{ kinds: number }>(sql, toParams(task))
  return Math.ceil((row?.kinds ?? 0) / portion)
}

/** Partitions by fields that never change, so that each client is in exactly one portion. */
function readKinds(store: ClickHouse, task: Reclassify, part: { at: number; of: number }): Promise<readonly Kind[]> {
  const sql = `/* page_views.kinds */ SELECT toString(${keyOfKind}) AS key, ${kindColumns} FROM page_views
    WHERE ${scope} AND sipHash64(user_agent, signals) % {of:UInt32} = {at:UInt32} GROUP BY ${kindColumns}`
  return store.read<Kind>(sql, { ...toParams(task), ...part })
}

function toClient({ user_agent, signals, source, representation, rule }: Kind): Client {
  const scheme = httpsRules.has(rule) ? 'https' : undefined
  return { userAgent: user_agent, signals: toSignals(signals), source, scheme, representation }
}

function toSignals(text: string): Signals {
  return text === '' ? {} : (JSON.parse(text) as Signals)
}

function judge(kind: Kind, label: (client: Client) => Label, { dimensionsOff }: Reclassify): Reclassed {
  const client = toClient(kind)
  const found = clientDimensions(client)
  const kept = Object.fromEntries(dimensions.map((name) => [name, dimensionsOff.has(name) ? kind[name] : found[name]]))
  return { ...label(client), ...(kept as ClientDimensions) }
}

function toChange(kind: Kind, to: Reclassed): Change | undefined {
  return reclassed.every((name) => kind[name] === to[name]) ? undefined : { key: kind.key, to }
}

/**
 * One mutation, whose expressions all read the old row. A verification is valid for the claimed operator only, so it is
 * cleared when the operator changes.
 */
async function update(store: ClickHouse, task: Reclassify, changes: readonly Change[]): Promise<void> {
  const keys = numberList(changes.map(({ key }) => BigInt(key)))
  const to = (field: keyof Reclassed) => {
    const values = textList(changes.map((change) => change.to[field]))
    return `transform(${keyOfKind}, ${keys}, ${values}, toString(${field}))`
  }
  await rewritePageViews(
    store,
    `/* page_views.reclassify */ ALTER TABLE page_views UPDATE
      ${reclassed.map((field) => `${field} = ${to(field)}`).join(', ')},
      verified = if(${to('operator')} = operator, verified, 'none'), list_date = {listDate:Date}
    WHERE ${scope} AND ${keyOfKind} IN ${keys}`,
    { ...toParams(task), listDate },
  )
}

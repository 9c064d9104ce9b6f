// Reads the version of a project's page views, which changes whenever one is stored, erased or reclassified, and that of
// each of its salt windows. They are computed from sums in every part of the table, so they cost the same for any number of
// rows: those of the projection `filtered_windows`, or of `windows` as long as parts of an earlier release lack the first.

import { hash } from 'node:crypto'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { dayOf } from '../../zone.ts'

/** The columns that exports of earlier releases read. */
const columnsBefore = `view_id, time, path, representation, status, source, visitor, category, agent, operator, verified,
  referrer`
/** Every column that an export or a filter reads. */
const columns = `${columnsBefore}, site_id, referrer_path, country, language, device, browser, os, campaign, title`

/** The sum over rows of these columns. The aggregates must equal those of a projection, or the store reads all rows. */
function sumOf(hashed: string): string {
  return `sum(cityHash64(${hashed}))`
}

function sumsOf(hashed: string): string {
  return `toString(count()) AS views, toString(${sumOf(hashed)}) AS sums, toUnixTimestamp64Milli(min(time)) AS first,
    toUnixTimestamp64Milli(max(time)) AS last`
}

export function versionSql(hashed = columns): string {
  return `SELECT salt_window AS window, ${sumsOf(hashed)} FROM page_views WHERE project_id = {projectId:String}
    GROUP BY salt_window`
}

/** `answer`: whether all parts are whole; undefined before the first query, and after a failed one. */
type State = { answer: Promise<boolean> | undefined; isWhole: boolean; askedAt: number; hasOnlyOwn: boolean }
const states = new WeakMap<ClickHouse, State>()
const askAgainMs = 5_000

function stateOf(store: ClickHouse): State {
  const state = states.get(store) ?? { answer: undefined, isWhole: false, askedAt: -Infinity, hasOnlyOwn: false }
  states.set(store, state)
  return state
}

/** Queries at the same moment get the same answer, so that their versions can be compared. */
function askParts(store: ClickHouse): Promise<boolean> {
  const state = stateOf(store)
  const ask = async () => {
    try {
      const isWhole = await arePartsWhole(store)
      state.isWhole ||= isWhole
      return isWhole
    } catch (error) {
      state.answer = undefined
      throw error
    }
  }
  state.askedAt = performance.now()
  state.answer = ask()
  return state.answer
}

/** Do all parts of the table have the sums over all columns? */
async function arePartsWhole(store: ClickHouse): Promise<boolean> {
  const [row] = await store.read<{ count: number }>(
    `/* page_views.parts */ SELECT count() AS count FROM system.parts WHERE database = currentDatabase()
      AND table = 'page_views' AND active AND rows > 0 AND NOT has(projections, 'filtered_windows')`,
    {},
  )
  return row?.count === 0
}

/** In a process that owns its store, only `upgradeVersions` changes the columns, so that versions in memory stay comparable. */
async function hashedColumns(store: ClickHouse): Promise<string> {
  const state = stateOf(store)
  const isOld = !store.isOwned && performance.now() - state.askedAt > askAgainMs
  const isWhole = state.isWhole || (await (state.answer === undefined || isOld ? askParts(store) : state.answer))
  return isWhole ? columns : columnsBefore
}

/**
 * Computes the sums over all columns for parts of an earlier release, and lets the seals of its versions hold for the same
 * page views. Returns true if versions are others from now on. Queries are answered meanwhile.
 */
export async function upgradeVersions(store: ClickHouse): Promise<boolean> {
  if ((await hashedColumns(store)) === columns) {
    await dropSumsBefore(store)
    return false
  }
  await store.rewrite('/* page_views.sums */ ALTER TABLE page_views MATERIALIZE PROJECTION filtered_windows', {})
  await store.rewrite(
    `/* seals.upgrade */ INSERT INTO seals (project_id, generation, salt_window, build, views, sums, lengths, sealed_at)
      SELECT seals.project_id, generation, seals.salt_window, build, seals.views, now.sums, lengths, sealed_at
      FROM seals INNER JOIN (
        SELECT project_id, salt_window, count() AS views, ${sumOf(columnsBefore)} AS before, ${sumOf(columns)} AS sums
        FROM page_views GROUP BY project_id, salt_window
      ) AS now ON seals.project_id = now.project_id AND seals.salt_window = now.salt_window
        AND seals.views = now.views AND seals.sums = now.before`,
    {},
  )
  const isWhole = await askParts(store)
  if (isWhole) await dropSumsBefore(store)
  return isWhole
}

/**
 * No query asks for the sums of an earlier release any more, and keeping them takes a tenth of the time of storing a page view. A
 * process of that release may share a server.
 */
async function dropSumsBefore(store: ClickHouse): Promise<void> {
  const state = stateOf(store)
  if (!store.isOwned || state.hasOnlyOwn) return
  await store.rewrite('/* page_views.sums_before */ ALTER TABLE page_views DROP PROJECTION IF EXISTS windows', {})
  state.hasOnlyOwn = true
}

/** The page views of a project with the same salt window. */
export type WindowVersion = {
  readonly window: string
  /** Their number, and the sum of their hashes, as text. Of a window that moves, any text that changes with it. */
  readonly views: string
  readonly sums: string
  /** The times of the first and the last one, in milliseconds. */
  readonly first: number
  readonly last: number
  /** True: this process has written page views of it since its version was read. */
  readonly isMoving?: true
  /** The version before this process wrote the page views that make it move. They are all from `until` or later. */
  readonly rested?: Rested | undefined
}

export type Rested = { readonly views: string; readonly sums: string; readonly until: number }

export async function readWindows(
  store: ClickHouse,
  projectId: string,
  signal?: AbortSignal,
): Promise<readonly WindowVersion[]> {
  const hashed = await hashedColumns(store)
  return store.read<WindowVersion>(`/* analytics.version */ ${versionSql(hashed)}`, { projectId }, signal)
}

/** Those of all projects. */
export async function readAllWindows(
  store: ClickHouse,
): Promise<readonly (WindowVersion & { readonly projectId: string })[]> {
  const sql = `/* analytics.versions */ SELECT project_id AS projectId, salt_window AS window,
      ${sumsOf(await hashedColumns(store))}
    FROM page_views GROUP BY project_id, salt_window`
  return store.read(sql, {})
}

/** The version of all windows together. */
export function versionOf(windows: readonly WindowVersion[]): string {
  const versions = windows.map(({ window, views, sums }) => `${window} ${views} ${sums}`)
  return hash('sha256', versions.toSorted().join('\n'), 'hex')
}

/** The number of page views, of any class and time. */
export function countViews(windows: readonly WindowVersion[]): number {
  return windows.reduce((count, { views }) => count + Number(views), 0)
}

/** The day of the first page view, of any class and time, in the zone; null: there is no page view. */
export function firstDayOf(windows: readonly Pick<WindowVersion, 'first'>[], timeZone: string): string | null {
  const first = windows.reduce((least, window) => Math.min(least, window.first), Infinity)
  return first === Infinity ? null : dayOf(timeZone, first)
}

// Generates page views of a year and inserts them into the store, and writes the same rows to files for other databases.
// A few pages have most views, and a few visitors return often. Pages follow a power law.

import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouse } from '../src/clickhouse/open.ts'

export type Rows = {
  readonly projectId: string
  readonly count: number
  readonly days: number
  /** The first moment after the page views, in milliseconds since 1970. */
  readonly until: number
  /** `month`: a new number each month. `never`: a visitor keeps its number, and may return at any time. */
  readonly visitorWindow: 'month' | 'never'
  /** Default: 1,000. */
  readonly pages?: number
  /** Rows of another seed are others. Default: 0. */
  readonly seed?: number
  /** With 20 sections, two sites and page views of neither, countries, languages and devices. */
  readonly isRich?: boolean
}

const pieceRows = 1_000_000

/** Makes 70 % of the visitors people; one in a hundred of them has an agent under the same name. */
function select(rows: Rows): string {
  const { projectId, count, days, until, visitorWindow, pages = 1_000, seed = 0, isRich = false } = rows
  const isMonth = visitorWindow === 'month'
  /** Returns SQL for a number from 0 to 1 that depends on the row and on `salt`. */
  const chance = (salt: number, of = 'number') => `(cityHash64(${of}, ${salt + seed * 100}) / 18446744073709551616.)`
  const people = Math.max(10, Math.round(count / 15))
  const oneOf = (names: readonly string[], of: string) =>
    isRich ? `arrayElement([${names.map((name) => `'${name}'`).join(', ')}], 1 + ${of} % ${names.length})` : `''`
  const section = isRich ? `concat('/part-', toString(page % 20), '/page-')` : `'/guides/page-'`
  return `SELECT '${projectId}' AS project_id, ${oneOf(['site_a', 'site_b', ''], 'number')} AS site_id, cityHash64(number, ${1 + seed * 100}) AS view_id,
      fromUnixTimestamp64Milli(toInt64(${until} - 1 - ${chance(2)} * ${days} * 86400000), 'UTC') AS time,
      toUInt32(${pages} * pow(${chance(3)}, 3)) AS page, concat(${section}, toString(page)) AS path,
      ${oneOf(['DE', 'US', 'FR', 'IN', ''], 'person')} AS country, ${oneOf(['de', 'en', 'fr'], 'person')} AS language,
      ${oneOf(['desktop', 'mobile', 'tablet'], 'person')} AS device,
      if(category IN ('markdown', 'ai_coding_agent'), 'markdown', 'html') AS representation,
      if(${chance(4)} < 0.01, 404, 200) AS status, 'log' AS source,
      cityHash64(person, ${isMonth ? 'toYYYYMM(time)' : '1'}) AS visitor,
      multiIf(kind < 0.7, if(person % 100 = 0 AND ${chance(5)} < 0.3, 'markdown', 'browser'), kind < 0.82, 'ai_assistant',
        kind < 0.88, 'ai_coding_agent', kind < 0.95, 'ai_training', 'search') AS category,
      if(category = 'browser', '', category) AS agent, '' AS operator, 'none' AS verified, 'bench' AS rule,
      toDate('2026-11-01') AS list_date, if(category = 'browser' AND ${chance(6)} < 0.4, 'www.google.com', '') AS referrer,
      concat('Mozilla/5.0 (bench; ', toString(person % 40), ')') AS user_agent, '' AS signals,
      toUInt64(${people} * pow(${chance(7)}, 2)) AS person, ${chance(8, 'person')} AS kind,
      ${isMonth ? `concat('month:', formatDateTime(time, '%Y-%m'))` : `''`} AS salt_window`
}

const columns = `project_id, country, language, device, site_id, view_id, time, path, representation, status, source, visitor, category, agent,
  operator, verified, rule, list_date, referrer, user_agent, signals, salt_window`

export async function fillStore(store: ClickHouse, ...projects: readonly Rows[]): Promise<void> {
  for (const rows of projects) {
    for (let from = 0; from < rows.count; from += pieceRows) {
      const numbers = `numbers(${from}, ${Math.min(pieceRows, rows.count - from)})`
      await store.command(
        `INSERT INTO page_views (${columns}) SELECT ${columns} FROM (${select(rows)} FROM ${numbers})`,
      )
    }
  }
  await store.command('OPTIMIZE TABLE page_views FINAL')
}

/** `file`: rows as TSV, with the columns that the query needs. */
export type Copy = (file: string) => Promise<void>

/** Writes the rows to files and calls `copy` for each of them. */
export async function copyRows(store: ClickHouse, rows: Rows, folder: string, copy: Copy): Promise<void> {
  for (let from = 0; from < rows.count; from += pieceRows) {
    const file = join(folder, `rows-${from}.tsv`)
    const numbers = `numbers(${from}, ${Math.min(pieceRows, rows.count - from)})`
    await store.command(
      `INSERT INTO FUNCTION file('${file}', 'TSV', 'a String, b String, c String, d Int64, e String, f UInt16')
        SELECT project_id, concat(toString(time), '+00'), path, reinterpretAsInt64(visitor), multiIf(category = 'browser', 'human',
        category IN ('ai_assistant', 'ai_coding_agent', 'markdown'), 'ai', 'neither'), status
        FROM (${select(rows)} FROM ${numbers})`,
    )
    await chmod(file, 0o644)
    await copy(file)
    await rm(file)
  }
}

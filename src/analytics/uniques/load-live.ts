// Fills the counters of a live window from its rows, a part of the visitors at a time, so that requests run in between.

import { setImmediate } from 'node:timers/promises'
import { textList } from '../../clickhouse/literal.ts'
import type { ClickHouse } from '../../clickhouse/open.ts'
import { planBetween, type QuerySettings } from '../query/plan.ts'
import { dayNumber, isAi, isHuman, isVisit, toParams, viewed } from '../query/sql.ts'
import type { WindowVersion } from '../query/version.ts'
import { daysOfWindow, type LiveWindow } from './live.ts'

export type LoadTask = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly window: WindowVersion
  /** The first day of `live`, since 1970. */
  readonly firstDay: number
  readonly live: LiveWindow
  readonly pageOf: (path: string) => number
}

const visitorsAtOnce = 20_000
const rowsAtOnce = 2_000

type Loaded = { readonly page: string; readonly person: string; readonly human: number; readonly ai: number }

/** Rows that are stored meanwhile may or may not be among them: the caller adds those too. */
export async function loadLive(store: ClickHouse, task: LoadTask): Promise<void> {
  const { projectId, settings, window, firstDay, live, pageOf } = task
  // Views that were stored since the version of the window was read may be of any of its days.
  const [from, to] = [firstDay - 1, firstDay + daysOfWindow + 1].map((day) => day * 86_400_000)
  const plan = planBetween(projectId, settings, [from ?? 0, to ?? 0])
  const bits = (which: string) =>
    `toInt32(reinterpretAsInt32(groupBitOr(if(${which}, bitShiftLeft(toUInt32(1), ${dayNumber(plan)} - ${firstDay}), toUInt32(0)))))`
  const where = `${viewed(plan)} AND ${isVisit(plan)} AND salt_window IN ${textList([window.window])}
    AND ${dayNumber(plan)} BETWEEN ${firstDay} AND ${firstDay + daysOfWindow - 1}`
  const params = toParams(plan)
  const [counted] = await store.read<{ pairs: number }>(
    `/* live.count */ SELECT uniq(visitor, path) AS pairs FROM page_views WHERE ${where}`,
    params,
  )
  const parts = Math.ceil((counted?.pairs ?? 0) / visitorsAtOnce)
  for (let part = 0; part < parts; part += 1) {
    const rows = await store.read<Loaded>(
      `/* live.load */ SELECT toString(path) AS page, toString(visitor) AS person, ${bits(isHuman)} AS human,
        ${bits(isAi(plan))} AS ai FROM page_views WHERE ${where} AND sipHash64(visitor) % ${parts} = ${part}
        GROUP BY path, visitor SETTINGS max_threads = 1`,
      params,
    )
    for (const [at, row] of rows.entries()) {
      if (at % rowsAtOnce === 0) await setImmediate()
      live.add(pageOf(row.page), BigInt(row.person), row)
    }
  }
}

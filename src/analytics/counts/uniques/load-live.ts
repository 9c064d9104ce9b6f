// Fills the counters of a live window from its rows, some days or a part of the visitors of a day at a time, so that requests
// run in between.

import { setImmediate } from 'node:timers/promises'
import { textList } from '../../../clickhouse/literal.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { planBetween, type QuerySettings } from '../query/plan.ts'
import { dayNumber, isAi, isHuman, isVisit, toParams, viewed } from '../query/sql.ts'
import type { WindowVersion } from '../query/version.ts'
import { type DayRows, type DaySlice, toSlices } from '../../day-slices.ts'
import { addDays, startOfDay } from '../../zone.ts'
import { countRows, readRows } from './count-rows.ts'
import { toCounters } from './counters.ts'
import { dayNumberAt } from './judge.ts'
import { daysOfFrame, type LiveWindow, type Seen } from './live.ts'

export type LoadTask = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly window: WindowVersion
  /** The first day of the frame of `live`, since 1970. */
  readonly firstDay: number
  readonly live: LiveWindow
  readonly pageOf: (path: string) => number
}

/** Page views that one statement reads into memory. */
const viewsAtOnce = 50_000
/** Visitors of pages that are added without a pause. */
const addedAtOnce = 500
/** Visitors of pages, 32 bytes each. A window with more is not followed: its rows answer. */
const mostPairs = 8_000_000

/**
 * Rows that are stored meanwhile may or may not be among them: the caller adds those too. Returns false if the window has too
 * many visitors.
 */
export async function loadLive(store: ClickHouse, task: LoadTask): Promise<boolean> {
  const { projectId, settings, window, firstDay, live, pageOf } = task
  // Views that were stored since the version of the window was read may be of any day of the frame.
  const [first, end] = [firstDay - 1, firstDay + daysOfFrame + 1].map((day) => day * 86_400_000)
  const plan = planBetween(projectId, settings, [Math.min(first ?? 0, window.first), end ?? 0])
  const day = dayNumber(plan)
  const which = `${ofWindow(task)} AND ${day} < ${firstDay + daysOfFrame}`
  const rows = `FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} AND ${which}`
  const params = toParams(plan)
  const [counted] = await store.read<{ pairs: number }>(
    `/* live.count */ SELECT uniq(visitor, path) AS pairs ${rows}`,
    params,
  )
  if ((counted?.pairs ?? 0) > mostPairs) return false
  const days = await store.read<DayRows>(
    `/* live.days */ SELECT ${day} AS day, count() AS rows ${rows} GROUP BY day ORDER BY day`,
    params,
  )
  for (const slice of toSlices(days, viewsAtOnce)) {
    const parts = Math.ceil(slice.rows / viewsAtOnce)
    for (let part = 0; part < parts; part += 1) {
      await loadSlice(store, task, slice, `sipHash64(visitor) % ${parts} = ${part}`)
    }
  }
  if (dayNumberAt(settings, window.first) < firstDay) {
    const ofDays = `${which} AND ${day} < ${firstDay}`
    live.before = {
      site: toCounters(await readRows(store, countRows.site(plan, ofDays), params, () => 0)),
      page: toCounters(await readRows(store, countRows.page(plan, ofDays), params, pageOf)),
    }
  }
  return true
}

function ofWindow({ window }: LoadTask): string {
  return `salt_window IN ${textList([window.window])}`
}

type Loaded = { readonly page: string; readonly seen: string }

/** Text with a number of each visitor would take ten times as long to parse, and hold up requests. */
async function loadSlice(store: ClickHouse, task: LoadTask, { from, to }: DaySlice, which: string): Promise<void> {
  const { projectId, settings, firstDay, live, pageOf } = task
  const times = [from, to].map((day) => startOfDay(settings.timeZone, addDays('1970-01-01', day)))
  const plan = planBetween(projectId, settings, [times[0] ?? 0, times[1] ?? 0])
  const day = dayNumber(plan)
  // The store may compute the bit of days before the frame, too.
  const bit = `bitShiftLeft(toUInt32(1), greatest(${day} - ${firstDay}, 0))`
  const bits = (of: string) => `toUInt32(groupBitOr(if(${of} AND ${day} >= ${firstDay}, ${bit}, toUInt32(0))))`
  const last = (of: string) => `toUInt16(maxIf(${day}, ${of} AND ${day} < ${firstDay}))`
  const seen = ['visitor', bits(isHuman), bits(isAi(plan)), last(isHuman), last(isAi(plan))]
  const digits = seen.map((value, at) => `leftPad(hex(${value}), ${digitsOf[at]}, '0')`)
  const rows = await store.read<Loaded>(
    `/* live.load */ SELECT toString(path) AS page, arrayStringConcat(groupArray(one)) AS seen FROM (
        SELECT path, concat(${digits.join(', ')}) AS one
        FROM page_views WHERE ${viewed(plan)} AND ${isVisit(plan)} AND ${ofWindow(task)} AND ${which}
        GROUP BY path, visitor) GROUP BY path SETTINGS max_threads = 1`,
    toParams(plan),
  )
  let added = 0
  for (const row of rows) {
    const [page, bytes] = [pageOf(row.page), Buffer.from(row.seen, 'hex')]
    for (let at = 0; at < bytes.length; at += bytesOfOne) {
      if (added % addedAtOnce === 0) await setImmediate()
      live.add(page, bytes.readBigUInt64BE(at), readSeen(bytes, at))
      added += 1
    }
  }
}

/** The visitor, the days of the frame as bits, and the last days before it. */
const digitsOf = [16, 8, 8, 4, 4]
const bytesOfOne = 20

function readSeen(bytes: Buffer, at: number): Seen {
  return {
    human: bytes.readInt32BE(at + 8),
    ai: bytes.readInt32BE(at + 12),
    lastHuman: bytes.readUInt16BE(at + 16),
    lastAi: bytes.readUInt16BE(at + 18),
  }
}

// Fills the counters of a live window from its rows, some days or a part of the visitors of a day at a time, so that requests
// run in between.
//
// Visitors that are added twice count once, but page views don't. Those of some days are therefore read between two writes:
// if one was under way, they are read again. From then on, page views of these days are added when they are stored.

import { setImmediate, setTimeout } from 'node:timers/promises'
import { textList } from '../../../../clickhouse/literal.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import { type Plan, planBetween, type QuerySettings } from '../../query/plan.ts'
import { dayNumber, isAi, isHuman, toParams, viewed } from '../../query/sql.ts'
import type { WindowVersion } from '../../query/version.ts'
import { type DayRows, type DaySlice, toSlices } from '../../../day-slices.ts'
import { addDays, startOfDay } from '../../../zone.ts'
import { countRows, readRows } from '../count-rows.ts'
import { toCounters } from '../counters.ts'
import type { Dimension } from '../dimensions.ts'
import { writesOf } from '../windows.ts'
import { dayNumberAt } from './judge.ts'
import { daysOfFrame, type LiveWindow, type Seen } from './live.ts'
import type { LivePart } from './parts.ts'

export type LoadTask = {
  readonly projectId: string
  readonly settings: QuerySettings
  readonly window: WindowVersion
  /** The first day of the frame of `live`, since 1970. */
  readonly firstDay: number
  readonly part: LivePart
  readonly live: LiveWindow
  /** The page views of the days of the frame before this one are counted, so that those which are stored must be added. */
  readonly onViews: (untilPlace: number) => void
  readonly numberOf: (dimension: Dimension, value: string) => number
}

/** Page views that one statement reads into memory. */
const viewsAtOnce = 50_000
/** Visitors of pages that are added without a pause. */
const addedAtOnce = 500
/** A window whose visitors of pages would take more than half of the memory of counters is not followed: its rows answer. */
const bytesOfPair = 32
/** So often the page views of a day are read beside writes, with a pause that grows. */
const mostReads = 12

/**
 * Rows that are stored meanwhile may or may not be among them: the caller adds those too. `too_large`: the window has too many
 * visitors. `busy`: page views were written whenever those of some days were read.
 */
export async function loadLive(store: ClickHouse, task: LoadTask): Promise<'loaded' | 'too_large' | 'busy'> {
  const { projectId, settings, window, firstDay, part, live, numberOf } = task
  // Views that were stored since the version of the window was read may be of any day of the frame.
  const [first, end] = [firstDay - 1, firstDay + daysOfFrame + 1].map((day) => day * 86_400_000)
  const plan = planBetween(projectId, settings, [Math.min(first ?? 0, window.first), end ?? 0])
  const day = dayNumber(plan)
  const which = `${ofWindow(task)} AND ${day} < ${firstDay + daysOfFrame}`
  const rows = ({ where }: Key) => `FROM page_views WHERE ${viewed(plan)} AND ${where(plan)} AND ${which}`
  const params = toParams(plan)
  const [counted] = await store.read<{ pairs: number }>(
    `/* live.count */ SELECT uniq(visitor, path) AS pairs ${rows(part.views ?? part.visitors)}`,
    params,
  )
  if ((counted?.pairs ?? 0) * bytesOfPair > store.memory.counters / 2) return 'too_large'
  const daysOf = (key: Key) =>
    store.read<DayRows>(
      `/* live.days */ SELECT ${day} AS day, count() AS rows ${rows(key)} GROUP BY day ORDER BY day`,
      params,
    )
  for (const slice of toSlices(await daysOf(part.visitors), viewsAtOnce)) {
    const parts = Math.ceil(slice.rows / viewsAtOnce)
    for (let at = 0; at < parts; at += 1) {
      await loadSlice(store, task, slice, `sipHash64(visitor) % ${parts} = ${at}`)
    }
  }
  if (part.views) {
    const days = (await daysOf(part.views)).filter((one) => one.day >= firstDay)
    for (const slice of withoutGaps(toSlices(days, viewsAtOnce), firstDay)) {
      if (!(await loadViews(store, task, { ...part.views, slice }))) return 'busy'
    }
  }
  if (dayNumberAt(settings, window.first) < firstDay) {
    const ofDays = `${which} AND ${day} < ${firstDay}`
    const before = part.dimensions.map(async (dimension) => {
      const found = await readRows(store, countRows[dimension](plan, ofDays), params, (value) =>
        numberOf(dimension, value),
      )
      return [dimension, toCounters(found)] as const
    })
    live.before = Object.fromEntries(await Promise.all(before))
  }
  return 'loaded'
}

type Key = Pick<LivePart['visitors'], 'sql' | 'where'>

function ofWindow({ window }: LoadTask): string {
  return `salt_window IN ${textList([window.window])}`
}

type Loaded = { readonly value: string; readonly seen: string }

/** Text with a number of each visitor would take ten times as long to parse, and hold up requests. */
async function loadSlice(store: ClickHouse, task: LoadTask, slice: DaySlice, which: string): Promise<void> {
  const { firstDay, live, part, numberOf } = task
  const plan = planOf(task, slice)
  const day = dayNumber(plan)
  // The store may compute the bit of days before the frame, too.
  const bit = `bitShiftLeft(toUInt32(1), greatest(${day} - ${firstDay}, 0))`
  const bits = (of: string) => `toUInt32(groupBitOr(if(${of} AND ${day} >= ${firstDay}, ${bit}, toUInt32(0))))`
  const last = (of: string) => `toUInt16(maxIf(${day}, ${of} AND ${day} < ${firstDay}))`
  const seen = ['visitor', bits(isHuman), bits(isAi(plan)), last(isHuman), last(isAi(plan))]
  const { sql, where } = part.visitors
  const rows = await store.read<Loaded>(
    `/* live.load */ SELECT value, arrayStringConcat(groupArray(one)) AS seen FROM (
        SELECT ${sql} AS value, ${inHex(seen, digitsOfSeen)} AS one
        FROM page_views WHERE ${viewed(plan)} AND ${where(plan)} AND ${ofWindow(task)} AND ${which}
        GROUP BY value, visitor) GROUP BY value SETTINGS max_threads = 1`,
    toParams(plan),
  )
  await inTurns(rows, digitsOfSeen, (value, bytes, at) => {
    for (const [dimension, scope] of part.valuesOf(value))
      live.add(dimension, numberOf(dimension, scope), bytes.readBigUInt64BE(at), readSeen(bytes, at))
  })
}

/** Returns false if it gave up. */
async function loadViews(
  store: ClickHouse,
  task: LoadTask,
  { dimension, sql, where, slice }: Key & { readonly dimension: Dimension; readonly slice: DaySlice },
): Promise<boolean> {
  const { projectId, window, firstDay, live, numberOf } = task
  const plan = planOf(task, slice)
  const by = (source: string) => `toUInt32(countIf(source ${source} 'browser'))`
  const reported = ['visitor', `toUInt8(${dayNumber(plan)} - ${firstDay})`, by('='), by('!=')]
  const statement = `/* live.views */ SELECT value, arrayStringConcat(groupArray(one)) AS seen FROM (
      SELECT ${sql} AS value, ${inHex(reported, digitsOfViews)} AS one
      FROM page_views WHERE ${viewed(plan)} AND ${where(plan)} AND ${ofWindow(task)}
      GROUP BY value, visitor, ${dayNumber(plan)}) GROUP BY value SETTINGS max_threads = 1`
  for (let reads = 1; ; reads += 1) {
    const before = writesOf(store, projectId, window.window)
    const rows = before && (await store.read<Loaded>(statement, toParams(plan)))
    if (rows && writesOf(store, projectId, window.window) === before) {
      task.onViews(slice.to - firstDay)
      await inTurns(rows, digitsOfViews, (value, bytes, at) => {
        const [byBrowser, byServer] = [bytes.readUInt32BE(at + 9), bytes.readUInt32BE(at + 13)]
        const reports = { place: bytes.readUInt8(at + 8), byBrowser, byServer }
        live.addViews(dimension, numberOf(dimension, value), bytes.readBigUInt64BE(at), reports)
      })
      return true
    }
    if (reads === mostReads) return false
    await setTimeout(reads * 10)
  }
}

/** Page views of days without any until now are stored meanwhile, too. */
function withoutGaps(slices: readonly DaySlice[], firstDay: number): readonly DaySlice[] {
  const all = slices.length === 0 ? [{ from: firstDay, to: firstDay, rows: 0 }] : slices
  return all.map((slice, at) => ({
    ...slice,
    from: all[at - 1]?.to ?? firstDay,
    to: at === all.length - 1 ? firstDay + daysOfFrame : slice.to,
  }))
}

function planOf({ projectId, settings }: LoadTask, { from, to }: DaySlice): Plan {
  const [start = 0, end = 0] = [from, to].map((day) => startOfDay(settings.timeZone, addDays('1970-01-01', day)))
  return planBetween(projectId, settings, [start, end])
}

/** The visitor, the days of the frame as bits, and the last days before it. */
const digitsOfSeen = [16, 8, 8, 4, 4]
/** The visitor, the place of the day in the frame, and the reports of browsers and of servers. */
const digitsOfViews = [16, 2, 8, 8]

function inHex(values: readonly string[], digits: readonly number[]): string {
  return `concat(${values.map((value, at) => `leftPad(hex(${value}), ${digits[at]}, '0')`).join(', ')})`
}

/** Adds all entries, with pauses in between. */
async function inTurns(
  rows: readonly Loaded[],
  digits: readonly number[],
  add: (value: string, bytes: Buffer, at: number) => void,
): Promise<void> {
  const length = digits.reduce((sum, count) => sum + count / 2, 0)
  let added = 0
  for (const { value, seen } of rows) {
    const bytes = Buffer.from(seen, 'hex')
    for (let at = 0; at < bytes.length; at += length) {
      if (added % addedAtOnce === 0) await setImmediate()
      add(value, bytes, at)
      added += 1
    }
  }
}

function readSeen(bytes: Buffer, at: number): Seen {
  return {
    human: bytes.readInt32BE(at + 8),
    ai: bytes.readInt32BE(at + 12),
    lastHuman: bytes.readUInt16BE(at + 16),
    lastAi: bytes.readUInt16BE(at + 18),
  }
}

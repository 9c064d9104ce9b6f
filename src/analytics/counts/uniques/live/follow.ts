// Follows windows that receive page views: every stored page view changes the counters in memory.

import { askForAll } from '../../../../clickhouse/asker.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import type { PageView } from '../../../page-view.ts'
import type { WindowVersion } from '../../query/version.ts'
import type { Dimension } from '../dimensions.ts'
import { dayNumberAt, type Judged } from './judge.ts'
import { createLive, daysOfFrame } from './live.ts'
import { loadLive } from './load.ts'
import type { LivePart } from './parts.ts'
import { askAgainMs, findMemory, type Known, type Live, measure, type Memory, numberIn, valuesOf } from '../memory.ts'
import { isWritten, knownWindows } from '../windows.ts'

type Following = {
  readonly store: ClickHouse
  readonly projectId: string
  readonly known: Known
  readonly memory: Memory
}

/**
 * Begins to follow a part of a window, if the window receives page views in this process and the part is not followed. Windows that
 * rest are sealed, so after a change of settings not all of them are loaded.
 */
export function followWindow(following: Following, part: LivePart, version: WindowVersion): void {
  const { store, projectId, memory } = following
  const { settings, failed } = following.known
  const windows = memory.live.get(part)
  if (!windows || windows.has(version.window) || !isWritten(store, projectId, version.window)) return
  const [first, last] = [dayNumberAt(settings, version.first), dayNumberAt(settings, version.last)]
  const firstDay = firstDayOfFrame(first, last)
  const lastDay = firstDay + daysOfFrame - 1
  const window = createLive(firstDay, part.dimensions)
  const live: Live = { firstDay, window, viewsUntil: 0, isLoaded: false }
  windows.set(version.window, live)
  const numberOf = (dimension: Dimension, value: string) => numberIn(valuesOf(memory, dimension), value)
  const onViews = (until: number) => void (live.viewsUntil = until)
  const task = { projectId, settings, window: version, firstDay, part, live: window, onViews, numberOf }
  const leaveToRows = () => {
    const left = { ...live, window: undefined }
    if (windows.get(version.window) === live) windows.set(version.window, left)
    return () => windows.get(version.window) === left && windows.delete(version.window)
  }
  const load = async () => {
    try {
      const outcome = await loadLive(store, task)
      if (outcome !== 'loaded') {
        const end = leaveToRows()
        if (outcome === 'busy') setTimeout(end, askAgainMs).unref()
        return
      }
      const now = (await knownWindows(store, projectId)).find(({ window }) => window === version.window)
      const [from, to] = now ? [dayNumberAt(settings, now.first), dayNumberAt(settings, now.last)] : [0, 0]
      const fits = from >= Math.min(first, firstDay) && to <= lastDay
      // Views of other days were stored since the version was read. A later query begins again.
      if (fits) live.isLoaded = true
      else windows.delete(version.window)
      measure(store, projectId, memory)
    } catch (error) {
      failed(error)
      setTimeout(leaveToRows(), askAgainMs).unref()
    }
  }
  void askForAll(() => inOrder(store, load))
}

const loads = new WeakMap<ClickHouse, Promise<void>>()

/** Loads one window of a store at a time: queries need the other connections. */
function inOrder(store: ClickHouse, load: () => Promise<void>): Promise<void> {
  const done = (loads.get(store) ?? Promise.resolve()).then(load)
  loads.set(store, done)
  return done
}

/** A frame has all days of a short window, and one before it, because a view may come late. */
function firstDayOfFrame(first: number, last: number): number {
  if (last - first < daysOfFrame - 1) return first - 1
  return last - first < daysOfFrame ? first : last - daysOfFrame / 2
}

/** Adds page views that are stored. Call it before they are acknowledged. */
export function addStored(store: ClickHouse, views: readonly PageView[]): void {
  const changed = new Map<string, Memory>()
  for (const view of views) {
    const memory = findMemory(store, view.projectId)
    if (!memory) continue
    let judged: Judged | false | undefined
    for (const [part, windows] of memory.live) {
      const live = windows.get(view.saltWindow)
      if (!live?.window) continue
      judged ??= memory.judge(view) ?? false
      if (judged === false) break
      const isInFrame = judged.day >= live.firstDay && judged.day < live.firstDay + daysOfFrame
      if (isInFrame) addView({ memory, part, live }, view, judged)
      else windows.delete(view.saltWindow)
      changed.set(view.projectId, memory)
    }
  }
  for (const [projectId, memory] of changed) measure(store, projectId, memory)
}

type Followed = { readonly memory: Memory; readonly part: LivePart; readonly live: Live }

function addView({ memory, part, live: { window, firstDay, viewsUntil } }: Followed, view: PageView, judged: Judged) {
  const place = judged.day - firstDay
  const numberOf = (dimension: Dimension, value: string) => numberIn(valuesOf(memory, dimension), value)
  const key = view.visitor === 0n ? undefined : part.visitors.of(view, judged)
  const seen = { human: judged.isHuman ? 1 << place : 0, ai: judged.isAi ? 1 << place : 0, lastHuman: 0, lastAi: 0 }
  for (const [dimension, value] of key === undefined ? [] : part.valuesOf(key))
    window?.add(dimension, numberOf(dimension, value), view.visitor, seen)
  const viewed = place < viewsUntil ? part.views?.of(view, judged) : undefined
  if (viewed === undefined || !part.views) return
  const isOfBrowser = view.source === 'browser'
  const reports = { place, byBrowser: isOfBrowser ? 1 : 0, byServer: isOfBrowser ? 0 : 1 }
  window?.addViews(part.views.dimension, numberOf(part.views.dimension, viewed), view.visitor, reports)
}

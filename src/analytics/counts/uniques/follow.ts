// Follows windows that receive page views: every stored page view changes the counters in memory.

import { askForAll } from '../../../clickhouse/asker.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import type { PageView } from '../../page-view.ts'
import type { WindowVersion } from '../query/version.ts'
import { dayNumberAt } from './judge.ts'
import { createLive, daysOfFrame } from './live.ts'
import { loadLive } from './load-live.ts'
import { askAgainMs, findMemory, type Known, type Live, measure, type Memory, numberIn, valuesOf } from './memory.ts'
import { isWritten, knownWindows } from './windows.ts'

type Following = { readonly store: ClickHouse; readonly projectId: string; readonly known: Known }

/**
 * Begins to follow a window, if it receives page views in this process and is not followed. Windows that rest are sealed, so
 * after a change of settings not all of them are loaded.
 */
export function followWindow(
  { store, projectId, known: { settings, failed } }: Following,
  memory: Memory,
  version: WindowVersion,
): void {
  if (memory.live.has(version.window) || !isWritten(store, projectId, version.window)) return
  const [first, last] = [dayNumberAt(settings, version.first), dayNumberAt(settings, version.last)]
  const firstDay = firstDayOfFrame(first, last)
  const lastDay = firstDay + daysOfFrame - 1
  const window = createLive(firstDay)
  const live: Live = { firstDay, window, isLoaded: false }
  memory.live.set(version.window, live)
  const pageOf = (path: string) => numberIn(valuesOf(memory, 'page'), path)
  const task = { projectId, settings, window: version, firstDay, live: window, pageOf }
  const load = async () => {
    try {
      if (!(await loadLive(store, task))) {
        if (memory.live.get(version.window) === live) memory.live.set(version.window, { ...live, window: undefined })
        return
      }
      const now = (await knownWindows(store, projectId)).find(({ window }) => window === version.window)
      const [from, to] = now ? [dayNumberAt(settings, now.first), dayNumberAt(settings, now.last)] : [0, 0]
      const fits = from >= Math.min(first, firstDay) && to <= lastDay
      // Views of other days were stored since the version was read. A later query begins again.
      if (fits) live.isLoaded = true
      else memory.live.delete(version.window)
      measure(store, projectId, memory)
    } catch (error) {
      failed(error)
      // A later query begins again.
      const end = () => memory.live.get(version.window) === live && memory.live.delete(version.window)
      setTimeout(end, askAgainMs).unref()
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
  const changed = new Set<string>()
  for (const view of views) {
    const memory = findMemory(store, view.projectId)
    const live = memory?.live.get(view.saltWindow)
    if (!memory || !live?.window) continue
    const judged = memory.judge(view)
    if (!judged) continue
    const place = judged.day - live.firstDay
    if (place < 0 || place >= daysOfFrame) {
      memory.live.delete(view.saltWindow)
      continue
    }
    const [human, ai] = [judged.isHuman ? 1 << place : 0, judged.isAi ? 1 << place : 0]
    const seen = { human, ai, lastHuman: 0, lastAi: 0 }
    live.window.add(numberIn(valuesOf(memory, 'page'), view.path), view.visitor, seen)
    changed.add(view.projectId)
  }
  for (const projectId of changed) {
    const memory = findMemory(store, projectId)
    if (memory) measure(store, projectId, memory)
  }
}

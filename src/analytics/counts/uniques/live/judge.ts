// Decides about a page view what the conditions in `query/sql.ts` decide about its row: does it count, on which day, and as
// what?

import { LRUCache } from 'lru-cache'
import type { PageView } from '../../../page-view.ts'
import { type QuerySettings, rulesOf } from '../../query/plan.ts'
import { addDays, dayNumberOf, dayOf, startOfDay } from '../../../zone.ts'

export type Judged = { readonly day: number; readonly isHuman: boolean; readonly isAi: boolean }

/** Returns undefined for a page view that does not count. */
export function createJudge(settings: QuerySettings): (view: PageView) => Judged | undefined {
  const { human, ai, ignoresUnverified, source } = rulesOf(settings)
  const [humans, ais] = [new Set(human), new Set(ai)]
  const dayAt = createDays(settings.timeZone)
  return (view) => {
    if (view.status === 404 || view.isDownload) return undefined
    const isHuman = humans.has(view.category)
    const isAi = ais.has(view.category) && !(ignoresUnverified && view.verified === 'failed')
    if (!isHuman && !isAi) return undefined
    const isOfBrowser = view.source === 'browser'
    if (source === 'server' && isOfBrowser) return undefined
    if (source === 'browser' && !isOfBrowser && view.representation === 'html' && isHuman) return undefined
    return { day: dayAt(view.time), isHuman, isAi }
  }
}

/** Days since 1970. Page views of one moment are of one day, so a few days are enough to know. */
function createDays(zone: string): (ms: number) => number {
  const known = new LRUCache<number, { readonly start: number; readonly end: number; readonly day: number }>({
    max: 64,
  })
  return (ms) => {
    const key = Math.floor(ms / 3_600_000)
    const last = known.get(key)
    if (last && ms >= last.start && ms < last.end) return last.day
    const name = dayOf(zone, ms)
    const day = dayNumberOf(name)
    known.set(key, { start: startOfDay(zone, name), end: startOfDay(zone, addDays(name, 1)), day })
    return day
  }
}

export function dayNumberAt({ timeZone }: Pick<QuerySettings, 'timeZone'>, ms: number): number {
  return dayNumberOf(dayOf(timeZone, ms))
}

// Notices, while logs are imported, readers with the user agent of a browser that behave like programs: they never request a
// part of a page (a style, a script, an image, a font), never send a referrer, and get every page whole. A log alone shows no
// more of a program under a browser's name. It is no proof either: parts may come from a cache or another host. So nothing is
// counted differently; the share is said beside the numbers. A reader is an address with a user agent; both are held only in
// memory. The service keeps the share of each day (`automated-days.ts`).

import { copyText } from '../../../lib/plain-text.ts'
import { agents } from '../../classify/agents.ts'
import { hasBrowserShape } from '../../classify/browser.ts'
import { asksForMarkdown } from '../../classify/markdown.ts'
import { holds } from '../../classify/rule.ts'
import { remember } from '../../remember.ts'
import { dayOf } from '../../zone.ts'
import type { WirePageView } from '../wire-page-view.ts'

export type PartShare = {
  /** Accepted page views of these readers; `of`: of all readers with the user agent of a browser. */
  readonly pageViews: number
  readonly of: number
  readonly readers: number
  readonly ofReaders: number
}

/** The page views of one day, `YYYY-MM-DD`. */
export type AutomatedDay = Pick<PartShare, 'pageViews' | 'of'> & { readonly day: string }

export type PartUse = {
  /** Call it before the page views of a log. Days are those of this zone. */
  readonly begin: (timeZone: string) => void
  /** An accepted page view. Those without an address or a user agent are ignored. */
  readonly addPage: (request: WirePageView) => void
  readonly addOther: (request: WirePageView) => void
  /** Undefined: the logs don't show parts of pages, or every reader behaves like a browser. */
  readonly find: () => PartShare | undefined
  /** Also days on which every reader behaves like a browser. Empty: the logs don't show parts of pages. */
  readonly days: () => readonly AutomatedDay[]
}

/** With fewer readers that requested parts, the logs probably leave them out, or another host has them. */
const fewestLoaders = 20
/** A bound of the memory, about 95 MB. */
const mostReaders = 200_000

/** `days`: page views by day. */
type Reader = { readonly days: Map<string, number>; hasParts: boolean; isBrowser: boolean }

export function createPartUse(most = mostReaders): PartUse {
  /** By user agent and address. A key of both would be made for every line. */
  const agents = new Map<string, Map<string, Reader>>()
  const readers: Reader[] = []
  const state = { dayAt: createDayAt('UTC') }
  const find = ({ address, userAgent }: WirePageView): Reader | undefined => {
    if (typeof address !== 'string' || typeof userAgent !== 'string') return undefined
    const ofAgent = agents.get(userAgent)
    const known = ofAgent?.get(address)
    if (known !== undefined || readers.length >= most || !isOfBrowser(userAgent)) return known
    const reader = { days: new Map<string, number>(), hasParts: false, isBrowser: false }
    readers.push(reader)
    agents.set(copyText(userAgent), (ofAgent ?? new Map<string, Reader>()).set(copyText(address), reader))
    return reader
  }
  const judge = () => {
    const all = readers.filter(({ days }) => days.size > 0)
    if (all.filter(({ hasParts }) => hasParts).length < fewestLoaders) return undefined
    return { all, programs: all.filter(({ hasParts, isBrowser }) => !hasParts && !isBrowser) }
  }
  return {
    begin: (timeZone) => void (state.dayAt = createDayAt(timeZone)),
    addPage: (request) => {
      const reader = mayBeHuman(request) ? find(request) : undefined
      if (!reader) return
      const day = state.dayAt(request.timestamp)
      reader.days.set(day, (reader.days.get(day) ?? 0) + 1)
      reader.isBrowser ||= (request.referrer ?? '') !== '' || request.status === 304
    },
    addOther: (request) => {
      if (!isPart(request.url ?? request.path ?? '')) return
      const reader = find(request)
      if (reader) reader.hasParts = true
    },
    find: () => {
      const { all = [], programs = [] } = judge() ?? {}
      if (programs.length === 0) return undefined
      return { pageViews: sum(programs), of: sum(all), readers: programs.length, ofReaders: all.length }
    },
    days: () => {
      const { all = [], programs = [] } = judge() ?? {}
      const automated = byDay(programs)
      return Array.from(byDay(all), ([day, of]) => ({ day, pageViews: automated.get(day) ?? 0, of }))
    },
  }
}

/** Missing pages and Markdown count as no human, whatever asked for them. */
function mayBeHuman({ url, path, status, representation }: WirePageView): boolean {
  return status !== 404 && representation !== 'markdown' && !isMarkdown(url ?? path ?? '')
}

const isMarkdown = remember((place) => {
  const [bare = ''] = place.split(/[?#]/, 1)
  return asksForMarkdown({ path: bare, representation: 'html', signals: {} })
})

const part = /\.(?:css|m?js|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf)$/i

const isPart = remember((place) => part.test(place.split(/[?#]/, 1)[0] ?? ''))

/** Agents and crawlers that say what they are do not count as human. */
const isOfBrowser = remember((userAgent) => {
  const lower = userAgent.toLowerCase()
  if (!hasBrowserShape(lower) || /compatible;|https?:|bot\b|crawl|spider|headless/.test(lower)) return false
  return !agents.some(({ pattern }) => holds(pattern, lower))
})

function sum(readers: readonly Reader[]): number {
  return [...byDay(readers).values()].reduce((total, views) => total + views, 0)
}

function byDay(readers: readonly Reader[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { days } of readers) for (const [day, views] of days) sums.set(day, (sums.get(day) ?? 0) + views)
  return sums
}

/** In all zones, days begin at a quarter of an hour. */
const quarterMs = 900_000

/** A line costs much less than a day of a zone, and lines of a quarter of an hour come together. */
function createDayAt(timeZone: string): (timestamp: WirePageView['timestamp']) => string {
  const zone = isKnown(timeZone) ? timeZone : 'UTC'
  const last = { quarter: Number.NaN, day: '' }
  return (timestamp) => {
    const time = typeof timestamp === 'number' ? timestamp : new Date(timestamp).getTime()
    const quarter = Math.floor(time / quarterMs)
    if (quarter !== last.quarter) Object.assign(last, { quarter, day: dayOf(zone, quarter * quarterMs) })
    return last.day
  }
}

/** A browser may be older than the zone of the project. */
function isKnown(timeZone: string): boolean {
  try {
    return dayOf(timeZone, 0) !== ''
  } catch {
    return false
  }
}

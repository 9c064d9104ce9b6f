// Notices, while logs are imported, readers with the user agent of a browser that behave like programs: they never request a
// part of a page (a style, a script, an image, a font), never send a referrer, and get every page whole. A log alone shows no
// more of a program under a browser's name. It is no proof either: parts may come from a cache or another host. So nothing is
// counted differently; the share is said beside the numbers. A reader is an address with a user agent; both are held only in
// memory.

import { agents } from '../../classify/agents.ts'
import { hasBrowserShape } from '../../classify/browser.ts'
import { asksForMarkdown } from '../../classify/markdown.ts'
import { holds } from '../../classify/rule.ts'
import { remember } from '../../remember.ts'
import type { WirePageView } from '../wire-page-view.ts'

export type PartShare = {
  /** Accepted page views of these readers; `of`: of all readers with the user agent of a browser. */
  readonly pageViews: number
  readonly of: number
  readonly readers: number
  readonly ofReaders: number
}

export type PartUse = {
  /** An accepted page view. Those without an address or a user agent are ignored. */
  readonly addPage: (request: WirePageView) => void
  readonly addOther: (request: WirePageView) => void
  /** Undefined: the logs don't show parts of pages, or every reader behaves like a browser. */
  readonly find: () => PartShare | undefined
}

/** With fewer readers that requested parts, the logs probably leave them out, or another host has them. */
const fewestLoaders = 20
/** A bound of the memory, about 50 MB. */
const mostReaders = 200_000

type Reader = { pages: number; hasParts: boolean; isBrowser: boolean }

export function createPartUse(most = mostReaders): PartUse {
  const readers = new Map<string, Reader>()
  const find = ({ address, userAgent }: WirePageView): Reader | undefined => {
    if (typeof address !== 'string' || typeof userAgent !== 'string' || !isOfBrowser(userAgent)) return undefined
    const key = `${address} ${userAgent}`
    const known = readers.get(key)
    if (known !== undefined || readers.size >= most) return known
    const reader = { pages: 0, hasParts: false, isBrowser: false }
    readers.set(key, reader)
    return reader
  }
  return {
    addPage: (request) => {
      const reader = mayBeHuman(request) ? find(request) : undefined
      if (!reader) return
      reader.pages += 1
      reader.isBrowser ||= (request.referrer ?? '') !== '' || request.status === 304
    },
    addOther: (request) => {
      if (!isPart(request.url ?? request.path ?? '')) return
      const reader = find(request)
      if (reader) reader.hasParts = true
    },
    find: () => {
      const ofPages = [...readers.values()].filter(({ pages }) => pages > 0)
      const loaders = ofPages.filter(({ hasParts }) => hasParts).length
      const programs = ofPages.filter(({ hasParts, isBrowser }) => !hasParts && !isBrowser)
      if (programs.length === 0 || loaders < fewestLoaders) return undefined
      return { pageViews: sum(programs), of: sum(ofPages), readers: programs.length, ofReaders: ofPages.length }
    },
  }
}

/** Missing pages and Markdown count as no human, whatever asked for them. */
function mayBeHuman({ url, path, status, representation }: WirePageView): boolean {
  const [bare = ''] = (url ?? path ?? '').split(/[?#]/, 1)
  return status !== 404 && !asksForMarkdown({ path: bare, representation: representation ?? 'html', signals: {} })
}

const part = /\.(?:css|m?js|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf)$/i

function isPart(path: string): boolean {
  return part.test(path.split(/[?#]/, 1)[0] ?? '')
}

/** Agents and crawlers that say what they are do not count as human. */
const isOfBrowser = remember((userAgent) => {
  const lower = userAgent.toLowerCase()
  if (!hasBrowserShape(lower) || /compatible;|https?:|bot\b|crawl|spider|headless/.test(lower)) return false
  return !agents.some(({ pattern }) => holds(pattern, lower))
})

function sum(readers: readonly Reader[]): number {
  return readers.reduce((total, { pages }) => total + pages, 0)
}

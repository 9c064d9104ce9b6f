// Turns a line of a log into a page view with an id and a host, or into the reason why it is not one.

import { findRequestReason } from '../collect/admit.ts'
import { type DropReason, maxUserAgentLength } from '../page-view.ts'
import { remember } from '../remember.ts'
import { decodeAgent } from './formats/fields.ts'
import type { LineFacts } from './ids/line-facts.ts'
import type { Hash } from './ids/line-hash.ts'
import { type Counted, type LineIds, toLineId } from './ids/line-id.ts'
import { createOlderCheck, toOlderIds } from './ids/older-ids.ts'
import type { Continued } from './ids/rotation.ts'
import type { Line } from './lines.ts'
import { isRejected, type LineReason, type ParseLine, type WirePageView } from './wire-page-view.ts'

export type ReadLine =
  | {
      readonly view: WirePageView
      /** Undefined: the page view has an id of its own. */
      readonly lineId: Hash | undefined
      readonly text: string
      readonly beyond: string | undefined
    }
  | { readonly rejected: LineReason | DropReason; readonly text: string }

export type Reading = {
  readonly parse: ParseLine
  /** Reads the address one hop further. Undefined: the lines have no such place, or nobody asks. */
  readonly parseBeyond?: ParseLine | undefined
  /** Has counted the lines before. */
  readonly ids: LineIds
  readonly facts: LineFacts
  readonly continued: Continued
  /** Another tool says that each is a page view, whatever its name looks like. */
  readonly isExport?: true | undefined
  /** Gets the requests that are no page views. */
  readonly seeOther?: ((view: WirePageView) => void) | undefined
}

export type LineReader = {
  /** Call it for every line, in order. */
  readonly read: (line: Line) => ReadLine
  /** The time of the last line that has one. */
  readonly lastTime: () => number | string | undefined
}

/** Until a line has an address one hop further, only one in so many page views is asked. */
const askEvery = 16

export function createLineReader(reading: Reading): LineReader {
  const { parse, parseBeyond, ids, facts, continued, isExport, seeOther } = reading
  const isOlder = createOlderCheck(facts.olderDays)
  const hosts = facts.host === null ? [] : [facts.host]
  const urlOf = remember((path) => `https://${facts.host}${path}`)
  const state: { time: number | string | undefined; views: number; hasBeyond: boolean } = {
    time: undefined,
    views: 0,
    hasBeyond: false,
  }
  const readBeyond = (text: string): string | undefined => {
    state.views += 1
    if (parseBeyond === undefined || (!state.hasBeyond && state.views % askEvery !== 1)) return undefined
    const parsed = parseBeyond(text)
    const beyond = isRejected(parsed) ? undefined : parsed.address
    state.hasBeyond ||= beyond !== undefined
    return beyond
  }
  const identify = (view: WirePageView, counted: Counted, bytes: Uint8Array) => {
    const isPlaced = facts.host === null || !namesNoHost(view)
    const placed = isPlaced ? view : { ...view, url: urlOf(view.path ?? ''), path: undefined }
    if (view.id !== undefined) return { view: placed, lineId: undefined }
    const number = counted.before + continued.carried(counted.hash, view.timestamp)
    const lineId = toLineId(counted.hash, number, isPlaced ? '' : facts.idScope)
    if (!isOlder(view.timestamp)) return { view: placed, lineId }
    return { view: { ...placed, sameAs: toOlderIds(bytes, counted.before, hosts) }, lineId }
  }
  const read = (line: Line): ReadLine => {
    const result = judgeLine(line)
    if ('rejected' in result) ids.pass()
    return result
  }
  const judgeLine = (line: Line): ReadLine => {
    const { text } = line
    if (line.kind === 'too_long') return { rejected: 'too_long', text }
    // A line that is still being written may lack digits after the user agent, and its id would change with them.
    const isOpen = line.kind === 'open' && !isExport
    if (isOpen && !/["}\]]\s*$/.test(text)) return { rejected: 'incomplete', text }
    const parsed = parse(text)
    if (isRejected(parsed)) return { rejected: isOpen ? 'incomplete' : parsed.rejected, text }
    state.time = parsed.timestamp
    const view = withAgent(parsed)
    const rejected = isExport ? undefined : judge(view)
    if (rejected !== undefined) {
      seeOther?.(view)
      return { rejected, text }
    }
    if (facts.needsHost && namesNoHost(view)) return { rejected: 'no_host', text }
    return { ...identify(view, ids.count(line.bytes), line.bytes), text, beyond: readBeyond(text) }
  }
  return { read, lastTime: () => state.time }
}

function withAgent(view: WirePageView): WirePageView {
  const { userAgent } = view
  if (typeof userAgent !== 'string') return view
  const decoded = decodedOf(userAgent)
  return decoded === userAgent ? view : { ...view, userAgent: decoded }
}

const decodedOf = remember(decodeAgent)

/** The format `ndjson` passes on values of any type, and the service says that they are invalid. */
export function namesNoHost({ url, path }: WirePageView): boolean {
  return (url ?? undefined) === undefined && typeof path === 'string' && path.startsWith('/')
}

/**
 * Most lines of a log are not pages, and are not sent. This applies the service's rules, except those that need the
 * project: a picture that is too old is rejected as a picture here. The service reports malformed page views.
 */
function judge({ url, path, method, status, userAgent, representation }: WirePageView): DropReason | undefined {
  const place = typeof url === 'string' ? targetOf(url) : path
  if (typeof place !== 'string' || !['string', 'undefined'].includes(typeof method)) return undefined
  if (mayMove(place)) return undefined
  return findRequestReason({
    path: place,
    method: method?.toUpperCase(),
    status,
    representation,
    userAgent: typeof userAgent === 'string' ? userAgent.slice(0, maxUserAgentLength) : '',
  })
}

/** Dot segments may change which page it is. */
const mayMove = remember((path) => /\/(?:\.|%2e)/i.test(path))

const targetOf = remember((url): string | undefined => {
  const slash = url.indexOf('/', url.indexOf('//') + 2)
  return slash < 0 ? undefined : url.slice(slash)
})

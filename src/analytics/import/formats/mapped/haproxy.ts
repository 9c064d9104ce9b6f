// Parses the HTTP log of HAProxy (`option httplog`, also with what `httpslog` appends), with or without
// the prefix of any syslog: https://docs.haproxy.org/3.0/configuration.html#8.2.3
// User agent, host, referrer and X-Forwarded-For are captured request headers, whose order is that of the operator's
// `capture request header` lines. Values are in `{a|b}`, and bytes that could end one are `#XX`.

import { type AddressFrom, findAddress } from '../../address/address-from.ts'
import { toText } from '../../bytes.ts'
import type { Parsed, ParseLine } from '../../wire-page-view.ts'
import { asText, toPlace, toReferrer } from '../fields.ts'
import { createClfTime } from '../log-time.ts'
import { commandSettings, type FormatSettings, readFieldMap, refuse, requireZone } from './field-map.ts'
import { createLocalTime } from './local-time.ts'
import { readRequestLine } from './request-line.ts'

const known = ['user_agent', 'host', 'referrer', 'forwarded'] as const
type Field = (typeof known)[number]
export const haproxyExample = 'user_agent=1,host=2,referrer=3,forwarded=4'

/** Throws `invalid_input` for settings that lines cannot be read by. */
export function readHaproxySettings({ fields, timeZone, names = commandSettings }: FormatSettings) {
  const option = names.fields
  const capture = 'the numbers of your "capture request header" lines'
  const missing = `haproxy needs user_agent in ${option}, from ${capture}: ${option} ${haproxyExample}.`
  if (fields === undefined) throw refuse(missing)
  const map = readFieldMap(fields, { known, format: 'haproxy', example: haproxyExample, option })
  if (!map.has('user_agent')) throw refuse(missing)
  for (const [field, place] of map) {
    if (/^[1-9]\d?$/.test(place)) continue
    throw refuse(
      `${field} has the place ${place}, which is not a number: ${option} takes ${capture}, such as ${haproxyExample}.`,
    )
  }
  const zone = timeZone ?? 'UTC'
  requireZone(zone, names)
  return { zone, positions: new Map([...map].map(([field, place]) => [field, Number(place)])) }
}

type Settings = ReturnType<typeof readHaproxySettings>

export function createHaproxy(settings: Settings, from?: AddressFrom): ParseLine {
  const readTime = createTimeReader(settings.zone)
  return (line) => {
    const at = line.search(stamp)
    if (at < 0) return { rejected: ownMessage.test(line.slice(0, 400)) ? 'not_a_visit' : 'not_this_format' }
    const found = readLine(line.slice(at + stampLength))
    if (typeof found === 'string') return { rejected: found }
    const timestamp = readTime(line.slice(at + 2, at + stampLength - 2))
    if (timestamp === undefined) return { rejected: 'bad_time' }
    return toView(found, { settings, from, timestamp, peer: readPeer(line, at) })
  }
}

/** Whether a line is in this format. */
export function looksLikeHaproxy(line: string): boolean {
  const at = line.search(stamp)
  return at >= 0 && typeof readLine(line.slice(at + stampLength)) !== 'string'
}

const stamp = / \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d\.\d{3}\] /
const stampLength = ' [06/Feb/2009:12:14:14.655] '.length
/** `Server docs/a is DOWN`, `Proxy docs started.` */
const ownMessage = /(?:^|\s)haproxy(?:\[\d+\]: | \d+ )/

/** Frontend, backend and server, timers, status, bytes. A `+` before a number: the log was written before the end. */
const headStart = /^\S+ \S+ [-+\d]+(?:\/[-+\d]+){3,4} (-1|\d{3}) \+?\d+ /
/** Termination state, connections, queues, captured headers. */
const headEnd = / [\w-]{2,4} \d+(?:\/\+?\d+){4} \d+\/\d+ (?:\{([^{}]*)\} )?(?:\{[^{}]*\} )?$/

type Found = { readonly status: number; readonly headers: readonly string[]; readonly request: string } & {
  readonly isClosed: boolean
}

/** The part of a line after its time, or the reason why it is no request. No field before the request can have a quote. */
function readLine(text: string): Found | 'not_a_visit' | 'no_request' | 'not_this_format' {
  const quote = text.indexOf('"')
  const start = headStart.exec(text)
  if (quote < 0) return start === null ? 'not_a_visit' : 'no_request'
  const end = headEnd.exec(text.slice(0, quote))
  if (start === null || end === null) return 'not_this_format'
  const close = text.indexOf('"', quote + 1)
  const request = text.slice(quote + 1, close < 0 ? undefined : close)
  return { status: Number(start[1]), headers: end[1]?.split('|') ?? [], request, isClosed: close >= 0 }
}

/** `2001:db8::1:33319`: the last number is the port, also without brackets. */
function readPeer(line: string, end: number): string {
  const peer = line.slice(line.lastIndexOf(' ', end - 1) + 1, end)
  return peer.slice(0, peer.lastIndexOf(':'))
}

type About = {
  readonly settings: Settings
  readonly from: AddressFrom | undefined
  readonly timestamp: number
  readonly peer: string
}

function toView({ status, headers, request, isClosed }: Found, about: About): Parsed {
  const { settings, from, timestamp, peer } = about
  const header = (position: number | undefined) => {
    const text = position === undefined ? undefined : headers[position - 1]
    return text === undefined ? undefined : decode(text)
  }
  const value = (field: Field) => asText(header(settings.positions.get(field)))
  // The client left before the response.
  if (status < 100) return { rejected: 'not_a_visit' }
  const line = readRequestLine(request, isClosed)
  const place = line && toPlace({ target: decode(line.target), host: value('host') })
  if (line === undefined || place === undefined) return { rejected: 'no_request' }
  const agent = header(settings.positions.get('user_agent'))
  if (agent === undefined) return { rejected: 'no_user_agent' }
  return {
    timestamp,
    ...place,
    method: line.method,
    status,
    userAgent: agent,
    address: findAddress(from, {
      connection: () => peer,
      forwarded: () => value('forwarded'),
      field: (name) => asText(header(Number(name))),
    }),
    referrer: toReferrer(value('referrer')),
  }
}

/** Bytes `#XX`, which together may be UTF-8. */
function decode(text: string): string {
  return text.replaceAll(/(?:#[0-9a-f]{2})+/gi, (escapes) =>
    toText(Uint8Array.from(escapes.slice(1).split('#'), (digits) => Number.parseInt(digits, 16))),
  )
}

function createTimeReader(zone: string): (text: string) => number | undefined {
  const readClf = createClfTime()
  const toInstant = createLocalTime(zone)
  return (text) => {
    const wall = readClf(`${text.slice(0, 20)} +0000`, 0)
    return wall === undefined ? undefined : toInstant(wall + Number(text.slice(21)))
  }
}

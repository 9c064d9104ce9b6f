// Parses the format `combined` of nginx and Apache, that of lighttpd, and Apache's `vhost_combined`, which begins with `host:port `:
//   192.0.2.1 - ann [21/Nov/2026:10:00:00 +0100] "GET /a HTTP/1.1" 200 512 "https://example.com/" "Mozilla/5.0 …"
// Reads each byte a fixed number of times, from left to right, so no line can make parsing slow. Of the fields after
// the user agent, it reads only the one with the client's address, and only if asked to.

import { isIP } from 'node:net'
import { type AddressFrom, findAddress } from '../address/address-from.ts'
import { readField } from '../address/line-fields.ts'
import { remember } from '../../remember.ts'
import type { ParseLine, WirePageView } from '../wire-page-view.ts'
import { namesClient, toAddress, toPlace, toReferrer } from './fields.ts'
import { createClfTime } from './log-time.ts'
import { findQuote, unescape } from './quoted.ts'

const notThisFormat = { rejected: 'not_this_format' } as const
const notAnAddress = { rejected: 'not_an_address' } as const
const noRequest = { rejected: 'no_request' } as const

/** X-Forwarded-For is the quoted value directly after the user agent. */
export function createCombined(from?: AddressFrom): ParseLine {
  const readTime = createClfTime()
  return (line) => {
    const open = findTime(line)
    if (open < 0) return notThisFormat
    const request = readQuoted(line, open + 28)
    if (request === undefined) return notThisFormat
    const client = readClient(line, open)
    const status = readStatus(line, request.end)
    if (client === undefined || status === undefined) return notThisFormat
    const size = line.indexOf(' ', request.end + (status < 0 ? 3 : 5))
    if (size < 0) return { rejected: 'no_user_agent' }
    const referrer = readQuoted(line, size + 1)
    const agent = referrer && readQuoted(line, referrer.end + 1)
    if (referrer === undefined || agent === undefined) return notThisFormat
    if (status < 100) return { rejected: 'no_status' }
    const timestamp = readTime(line, open + 1)
    if (timestamp === undefined) return { rejected: 'bad_time' }
    const address = findAddress(from, {
      connection: () => client.address,
      forwarded: () => unescape(readQuoted(line, agent.end)?.text ?? ''),
      field: (name) => readField(line, Number(name)),
    })
    if (from === undefined && address === undefined && !namesClient(client.address)) return notAnAddress
    const asked = client.host === undefined ? requestOf(request.text) : readRequest(request.text, client)
    if (asked === undefined) return noRequest
    const { url, path, method } = asked
    return {
      timestamp,
      url,
      path,
      method,
      status,
      userAgent: agentOf(agent.text),
      address,
      referrer: referrerOf(referrer.text),
    }
  }
}

type Client = { readonly address: string; readonly host: string | undefined; readonly scheme: string | undefined }
type Request = Pick<WirePageView, 'url' | 'path' | 'method'>

function readRequest(quoted: string, { scheme, host }: Partial<Client> = {}): Request | undefined {
  const request = unescape(quoted)
  const space = request.indexOf(' ')
  const last = request.lastIndexOf(' HTTP/')
  const method = request.slice(0, space)
  if (space <= 0 || !isMethod(method)) return undefined
  const target = request.slice(space + 1, last > space ? last : undefined)
  const place = toPlace({ target, scheme, host })
  return place && { ...place, method }
}

const requestOf = rememberBare((quoted) => readRequest(quoted))
const referrerOf = rememberBare((quoted) =>
  quoted === '-' || quoted === '' ? undefined : toReferrer(unescape(quoted)),
)
const agentOf = remember((quoted) => (quoted === '-' ? '' : unescape(quoted)))

/** Those with a query are mostly different, and private. */
function rememberBare<T>(read: (quoted: string) => T): (quoted: string) => T {
  const known = remember(read)
  return (quoted) => (quoted.includes('?') ? read(quoted) : known(quoted))
}

function isMethod(text: string): boolean {
  if (text.length > 32) return false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if ((code < 0x41 || code > 0x5a) && code !== 0x2d && code !== 0x5f) return false
  }
  return true
}

/** The position of the bracket in `[21/Nov/2026:10:00:00 +0100] `. User names may contain brackets, too. */
function findTime(line: string): number {
  let open = line.indexOf('[')
  while (open >= 0) {
    const isTime =
      line.charCodeAt(open + 3) === 0x2f &&
      line.charCodeAt(open + 7) === 0x2f &&
      line.charCodeAt(open + 12) === 0x3a &&
      line.charCodeAt(open + 27) === 0x5d &&
      line.charCodeAt(open + 28) === 0x20
    if (isTime) return open
    open = line.indexOf('[', open + 1)
  }
  return -1
}

/** The part before the time: `address ident user `, after an optional `host:port ` or `host `. User names may contain spaces. */
function readClient(line: string, open: number): Client | undefined {
  const first = line.indexOf(' ')
  if (first <= 0 || first >= open) return undefined
  const head = line.slice(0, first)
  if (line.charCodeAt(first + 1) === 0x2d && line.charCodeAt(first + 2) === 0x20) {
    return { address: head, host: undefined, scheme: undefined }
  }
  const second = line.indexOf(' ', first + 1)
  if (second < 0 || second >= open) return undefined
  const next = line.slice(first + 1, second)
  const port = /:(\d{1,5})$/.exec(head)?.[1]
  // A list of forwarded addresses may begin the line.
  const isVirtual = !head.endsWith(',') && (toAddress(next) !== undefined || (port !== undefined && isIP(head) === 0))
  // Lighttpd writes the host where others write the name of identd, which has no dot.
  if (!isVirtual) return { address: head, host: toHostName(next), scheme: undefined }
  return { address: next, host: head, scheme: port === '80' ? 'http' : 'https' }
}

function toHostName(text: string): string | undefined {
  return text.length <= 255 && /^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z][a-z\d-]*(?::\d{1,5})?$/i.test(text) ? text : undefined
}

/** The three digits after a space; -1 for `-`. */
function readStatus(line: string, end: number): number | undefined {
  if (line.charCodeAt(end) !== 0x20) return undefined
  if (line.startsWith('- ', end + 1)) return -1
  const status = Number(line.slice(end + 1, end + 4))
  const next = line.charCodeAt(end + 4)
  return Number.isInteger(status) && status >= 0 && (next === 0x20 || Number.isNaN(next)) ? status : undefined
}

type Quoted = { readonly text: string; readonly end: number }

/** A quoted text that may start with a space, still with its escapes. `end` is the position after its closing quote. */
function readQuoted(line: string, at: number): Quoted | undefined {
  const start = line.charCodeAt(at) === 0x20 ? at + 1 : at
  if (line.charCodeAt(start) !== 0x22) return undefined
  const close = findQuote(line, start + 1)
  if (close < 0) return undefined
  return { text: line.slice(start + 1, close), end: close + 1 }
}

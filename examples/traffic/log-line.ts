// Formats requests as lines of an access log: nginx's `combined`, and Apache's `vhost_combined` with the host name
// first. Both use UTC.

import type { LoggedRequest } from './request.ts'
import { host } from './pages.ts'

export const logFormats = ['combined', 'vhost'] as const
export type LogFormat = (typeof logFormats)[number]

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Writes lines without line breaks. Caches the text of the last second, because requests come in chronological order. */
export function createLineWriter(format: LogFormat): (request: LoggedRequest) => string {
  const before = format === 'vhost' ? `${host}:443 ` : ''
  let second = Number.NaN
  let text = ''
  return (request) => {
    const now = Math.floor(request.time / 1_000)
    if (now !== second) text = toLogTime(now * 1_000)
    second = now
    const { address, method, target, status, bytes, referrer, client } = request
    const line = `${before}${address} - - [${text}] "${method} ${target} HTTP/2.0" ${status} ${bytes}`
    return `${line} "${referrer || '-'}" "${client.userAgent || '-'}"`
  }
}

/** Formats a time as `20/Nov/2026:09:05:00 +0000`. */
function toLogTime(ms: number): string {
  const iso = new Date(ms).toISOString()
  return `${iso.slice(8, 10)}/${months[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`
}

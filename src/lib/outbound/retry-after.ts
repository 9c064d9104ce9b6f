// Reads how long a host asks to wait: from Retry-After, else from the reset of its rate limit, else one minute. Headers
// are hostile, so the result is always between one second and one hour.

import type { IncomingHttpHeaders } from 'node:http'

const defaultSeconds = 60
const longestSeconds = 3600
/** A reset below this number is a duration in seconds, not a date. */
const earliestEpoch = 1_000_000_000

/** Returns seconds; undefined if the host does not say. `now` is in milliseconds; the `Date` of the response precedes it. */
export function waitOf(headers: IncomingHttpHeaders, now: number): number | undefined {
  const at = dateOf(headers.date) ?? now / 1000
  const after = headers['retry-after']
  const seconds = numberOf(after) ?? distance(dateOf(after), at)
  if (seconds !== undefined) return clamp(seconds)
  const reset = numberOf(header(headers, 'x-ratelimit-reset')) ?? numberOf(header(headers, 'ratelimit-reset'))
  if (reset === undefined) return undefined
  return clamp(reset < earliestEpoch ? reset : reset - at)
}

/** Returns the seconds to wait after a refusal for too many requests, or undefined for any other refusal. */
export function limitOf(
  response: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly words: string },
  now: number,
): number | undefined {
  const { status, headers, words } = response
  const isLimited = status === 429 || (status === 403 && (saysLimit(headers) || limitWords.test(words)))
  return isLimited ? (waitOf(headers, now) ?? defaultSeconds) : undefined
}

const limitWords = /secondary rate limit|abuse detection|rate limit exceeded|too many requests/i

function saysLimit(headers: IncomingHttpHeaders): boolean {
  const remaining = header(headers, 'x-ratelimit-remaining') ?? header(headers, 'ratelimit-remaining')
  return headers['retry-after'] !== undefined || remaining === '0'
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined
}

/** Seconds since 1970. `Date.parse` alone would take a number for a year. */
function dateOf(text: string | undefined): number | undefined {
  const time = text !== undefined && /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000
}

function distance(to: number | undefined, from: number): number | undefined {
  return to === undefined ? undefined : to - from
}

function clamp(seconds: number): number {
  return Math.min(longestSeconds, Math.max(1, Math.ceil(seconds)))
}

// The sentences about addresses that are probably not those of readers, with what to do about it. The options have other
// names on the command line than in the dashboard.

import { describeForwarded, type ForwardedUse } from '../../../lib/observability/forwarded-count.ts'
import type { AddressFrom } from './address-from.ts'
import type { PartShare } from './part-use.ts'

export type AddressWords = {
  readonly forwarded: string
  readonly field: string
  readonly trustedHops: string
  readonly connection: string
  readonly format: string
}

export const commandWords: AddressWords = {
  forwarded: '--address-from forwarded',
  field: "--address-from 'field N'",
  trustedHops: '--trusted-hops',
  connection: '--address-from connection',
  format: '--format',
}

/** Facts about the log that was read. */
export type LogPlace = {
  readonly format: string
  /** The first lines have addresses in X-Forwarded-For. */
  readonly linesHaveForwarded: boolean
}

type Share = { readonly pageViews: number; readonly of: number }
type About = { readonly from: AddressFrom | undefined; readonly log: LogPlace; readonly words: AddressWords }

export function describePrivate({ address, ...share }: Share & { readonly address: string }, about: About): string {
  return `${describe(share)} came from ${address}, a private address: ${advise(about)} ${correct}`
}

export function describeUnused(use: ForwardedUse, { from, words }: About): string {
  const further = from === undefined ? words.forwarded : `${words.trustedHops} ${from.hops + 1}`
  return (
    `${describeForwarded(use, 'page views')}: the few are probably proxies or a CDN, and readers behind them count as one. ` +
    `Import with ${further} to count them, or with ${words.connection} if these are the readers. ${correct}`
  )
}

const correct =
  'Stored page views keep their visitor: to correct them, delete them with docent analytics erase-imported, then import again.'

type Missing = { readonly from: AddressFrom | undefined; readonly words: AddressWords }

export function describeMissing(share: Share, { from, words }: Missing): string {
  if (from === undefined) {
    const places = `${words.forwarded} or ${words.field}`
    return `${describe(share)} have no address and count no visitor: if it is elsewhere in the lines, import with ${places}. ${correct}`
  }
  const place = from.kind === 'forwarded' ? 'X-Forwarded-For' : `the field ${from.name}`
  const small = from.hops > 1 ? `, or ${words.trustedHops} (now ${from.hops}) is too large` : ''
  return `${describe(share)} have no address in ${place} and count no visitor: it may be in another place${small}. ${correct}`
}

export function describeAgentless(share: Share, words: AddressWords): string {
  return (
    `${describe(share)} have no user agent that can be read, so nobody can tell people from programs: ` +
    `check that ${words.format} fits these lines, and that the server logs it. ${correct}`
  )
}

export function describeAutomated({ pageViews, of, readers, ofReaders }: PartShare): string {
  return (
    `Probably automated: ${describe({ pageViews, of })} with the user agent of a browser (${toPercent(pageViews / of)}), from ` +
    `${describeCount(readers)} of ${describeCount(ofReaders)} readers, who in these logs requested ` +
    'no style, script, image or font and sent no referrer. They count as humans: a log shows no more, and files of pages may come from a cache or another host.'
  )
}

/** The same of the imports of a range of days: says it beside the numbers. */
export function describeDays(share: Share): string {
  const what = `${describe(share)} with the user agent of a browser (${toPercent(share.pageViews / share.of)})`
  return `In imported logs, ${what} are probably automated; they count as humans.`
}

/** Never 0 % or 100 % of what is neither. */
function toPercent(share: number): string {
  const whole = Math.round(share * 100)
  if (share === 0) return '0 %'
  if (share < 1 && whole === 100) return 'over 99 %'
  return whole === 0 ? 'under 1 %' : `${whole} %`
}

function describeCount(count: number): string {
  return count.toLocaleString('en-US')
}

function describe({ pageViews, of }: Share): string {
  return `${describeCount(pageViews)} of ${describeCount(of)} page views`
}

function advise({ from, log, words }: About): string {
  if (from !== undefined)
    return `it may be another proxy of yours, and ${words.trustedHops} (now ${from.hops}) too small.`
  if (log.linesHaveForwarded)
    return `it may be your proxy. Import with ${words.forwarded} to count the readers behind it.`
  const how = howToLog[log.format] ?? 'log it on your server'
  return (
    'it may be your proxy, and these lines have no X-Forwarded-For with the readers behind it: ' +
    `${how}, or import with ${words.field} if the lines have their addresses elsewhere.`
  )
}

const afterUserAgent =
  'log it in quotes after the user agent ($http_x_forwarded_for in nginx, %{X-Forwarded-For}i in Apache)'

const howToLog: Readonly<Record<string, string>> = {
  combined: afterUserAgent,
  common: afterUserAgent,
  'nginx string': 'add "$http_x_forwarded_for" to log_format',
  'apache string': 'add "%{X-Forwarded-For}i" to LogFormat',
  haproxy: 'capture it ("capture request header X-Forwarded-For len 100") and name its number as the field “forwarded”',
  'nginx-json': 'add "$http_x_forwarded_for" to log_format',
  caddy: 'let the proxy send it',
  cloudfront: 'add its column to the log',
  iis: 'add it to the custom fields of the log',
  traefik: 'log in JSON and keep this header',
  'traefik-json': 'keep this header in the log',
  alb: 'import the log of the proxy instead',
  cloudflare: 'import the log of the proxy instead',
  vercel: 'import the log of the proxy instead',
  ndjson: 'write the address of the reader as “address”',
}

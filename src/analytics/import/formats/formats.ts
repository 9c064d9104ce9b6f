// The formats by name, and the detection of a log's format from its first lines.

import { isRejected, type ParseLine } from '../wire-page-view.ts'
import { parseCaddy } from './caddy.ts'
import { parseCloudflare } from './cloudflare.ts'
import { createCombined } from './combined.ts'
import { parseNdjson } from './ndjson.ts'
import { parseVercel } from './vercel.ts'

export const formatNames = ['combined', 'caddy', 'cloudflare', 'vercel', 'ndjson'] as const
export type FormatName = (typeof formatNames)[number]

/** `host` is used for lines without a host. Use one parser per file: it caches the last day that it read. */
export function createParser(format: FormatName, host: string | undefined, hops?: number): ParseLine {
  return format === 'combined' ? createCombined(host, hops) : parsers[format]
}

const parsers = {
  caddy: parseCaddy,
  cloudflare: parseCloudflare,
  vercel: parseVercel,
  ndjson: parseNdjson,
} as const satisfies Readonly<Record<Exclude<FormatName, 'combined'>, ParseLine>>

/** Returns the format of most of the lines, or undefined if no format matches. */
export function detectFormat(lines: readonly string[]): FormatName | undefined {
  const scores = formatNames.map((name) => {
    const parse = createParser(name, undefined)
    return { name, score: lines.filter((line) => isOf(parse, line)).length }
  })
  const best = scores.toSorted((a, b) => b.score - a.score)[0]
  return best && best.score > 0 ? best.name : undefined
}

/** Lines that have the format, but are not page views, count too. */
function isOf(parse: ParseLine, line: string): boolean {
  const parsed = parse(line)
  return !isRejected(parsed) || (parsed.rejected !== 'not_this_format' && parsed.rejected !== 'no_user_agent')
}

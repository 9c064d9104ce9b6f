// Splits the body of a batch into page views that are not yet checked. A hostile body costs little: the depth of JSON is
// bounded before it is parsed, and splitting stops once there are too many lines.

import { columnsType } from '../../../analytics/import/columns/columns.ts'
import { decodeColumns } from '../../../analytics/import/columns/read-columns.ts'
import { invalidInput } from '../../../lib/failure.ts'
import { decodeText, refuseDeep } from '../../request/body.ts'
import { isTooDeep } from '../../request/json-depth.ts'

const maxViews = 1_000
export const maxBatchBytes = 5 * 1024 * 1024
/** In UTF-8. Rows of columns share values, so a small body could have page views that take long to judge. */
const maxTextBytes = 2 * 1024 * 1024
/** Blank lines included. */
const maxLines = 10_000

/** One value per page view. A line that is not JSON is one invalid page view (undefined). Throws `invalid_input`. */
export function parseBatch(bytes: Uint8Array, type: string): readonly unknown[] {
  const text = decodeText(bytes)
  if (type === 'application/x-ndjson') return parseLines(linesOf(text))
  const body = parseBody(text)
  return type === columnsType ? decodeColumns(body, maxTextBytes) : parseArray(body)
}

function parseBody(text: string): unknown {
  refuseDeep(text)
  const body = parseJson(text)
  if (body === undefined) throw invalidInput('#', 'is not JSON')
  return body
}

function parseArray(items: unknown): readonly unknown[] {
  if (!Array.isArray(items)) throw invalidInput('#', 'must be an array of page views')
  if (items.length > maxViews) throw tooMany(maxViews, 'page views')
  return items
}

/** Takes no line more than it needs to refuse the body. */
export function parseLines(lines: Iterable<string>): readonly unknown[] {
  const items: unknown[] = []
  let count = 0
  for (const line of lines) {
    count += 1
    if (count > maxLines) throw tooMany(maxLines, 'lines')
    if (line.trim() === '') continue
    if (items.length === maxViews) throw tooMany(maxViews, 'page views')
    items.push(isTooDeep(line) ? undefined : parseJson(line))
  }
  return items
}

function* linesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, end)
    start = end + 1
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function tooMany(max: number, things: string) {
  return invalidInput('#', `must have at most ${max.toLocaleString('en')} ${things}`)
}

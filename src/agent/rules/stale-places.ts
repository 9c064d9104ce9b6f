// The places of names and values that the product changed, as the check found them: on their lines alone, because other lines
// may name the same of another product.

import { lineAt, lineStarts, type Splice } from '../../docs-syntax/text.ts'
import type { Problem } from '../checks.ts'
import { findTermPlaces } from '../terms/term-places.ts'

type Page = { readonly path: string; readonly text: string }

export function isStale(kind: string): boolean {
  return kind === 'stale-term' || kind === 'stale-value'
}

/** `problems`: of one target on the page. Empty if it is not clear what to write, or where. */
export function stalePlaces(page: Page, problems: readonly Problem[], suggestion: string): Splice[] {
  const [first] = problems
  if (!first) return []
  const starts = lineStarts(page.text)
  if (first.kind === 'stale-value')
    return problems.flatMap(({ target, line }) =>
      valuePlace(page.text, { start: starts[line - 1], target, suggestion }),
    )
  const lines = new Set(problems.map(({ line }) => line))
  const { splices } = findTermPlaces(page, { from: first.target, to: suggestion, inCode: true })
  return splices.filter(({ start, end }) => lines.has(lineAt(starts, start)) && lines.has(lineAt(starts, end)))
}

/** Other words than these lose their case in a finding. */
const plain = /^(?:-?\d+(?:\.\d+)*|true|false)$/

type Value = { readonly start: number | undefined; readonly target: string; readonly suggestion: string }

/** `target`: the name and its old value. The value must follow the name exactly once on the line. */
function valuePlace(text: string, { start, target, suggestion }: Value): Splice[] {
  const space = target.indexOf(' ')
  const [name, old] = [target.slice(0, space), target.slice(space + 1)]
  if (start === undefined || space < 1 || !plain.test(old) || !plain.test(suggestion)) return []
  const end = text.indexOf('\n', start)
  const line = text.slice(start, end === -1 ? undefined : end)
  const after = line.indexOf(name) + name.length
  if (after < name.length) return []
  const whole = new RegExp(String.raw`(?<![\w.,-])${old.replaceAll('.', '\\.')}(?![\w%]|[.,]\d)`, 'g')
  const [found, ...more] = line.slice(after).matchAll(whole)
  if (!found || more.length > 0) return []
  const at = start + after + found.index
  return [{ start: at, end: at + old.length, text: suggestion }]
}

// Writes the old name of a moved page into its header, for sites whose pages list the names that they had.

import type { Splice } from '../../../docs-syntax/text.ts'
import type { Site } from '../../../sites/site.ts'

type Move = { readonly from: string; readonly to: string; readonly text: string }

/** Undefined: the header has no place for it. */
export function aliasSplices(site: Site, { from, to, text }: Move): Splice[] | undefined {
  const field = site.aliasField ?? ''
  const name = (page: string, of: string) => site.nameFor({ kind: 'doc', url: 'a.adoc' }, page, of)
  const [old, own] = [name(to, from), [name(to, to), name(from, to)]]
  const title = /^(?:(?:\/\/|:[\w-]+:).*(?:\r\n|\n)|\r?\n)*= .*(\r\n|\n|$)/.exec(text)
  if (old === undefined || !title) return undefined
  // The header ends with the first blank line.
  const rest = text.slice(title[0].length)
  const header = text.slice(0, title[0].length + (/^[ \t]*\r?$/m.exec(rest)?.index ?? rest.length))
  const found = new RegExp(`^:${field}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'm').exec(header)
  if (!found) {
    const end = title[1] === '' ? '\n' : title[1]
    return [
      { start: title[0].length, end: title[0].length, text: `${title[1] === '' ? end : ''}:${field}: ${old}${end}` },
    ]
  }
  const written = found[1] ?? ''
  if (written.endsWith('\\')) return undefined
  const start = found.index + found[0].indexOf(written, field.length + 2)
  const kept = written.split(',').map((one) => one.trim())
  const names = [...kept.filter((one) => one !== '' && !own.includes(one)), old]
  return [{ start, end: start + written.length, text: [...new Set(names)].join(', ') }]
}

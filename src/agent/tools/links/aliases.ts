// Writes the old name of a moved page into its header, or its old address into its frontmatter, for sites whose pages list
// the names that they had.

import { isAsciidocPath } from '../../../docs-syntax/asciidoc/asciidoc.ts'
import { parsePage } from '../../../docs-syntax/markdown.ts'
import { dominantLineBreak, type Splice } from '../../../docs-syntax/text.ts'
import { readToml, tomlFields } from '../../../docs-syntax/toml.ts'
import { fieldsIn, readYaml, writeYamlString } from '../../../docs-syntax/yaml.ts'
import type { Site } from '../../../sites/site.ts'

/** `old` and `next`: the addresses, as the field has them. */
type Move = {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly old: string
  readonly next: string
}

/** Undefined: the page has no place for it. */
export function aliasSplices(site: Site, move: Move): Splice[] | undefined {
  return isAsciidocPath(move.to) ? headerSplices(site, move) : frontmatterSplices(site.aliasField ?? '', move)
}

function headerSplices(site: Site, { from, to, text }: Move): Splice[] | undefined {
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

/** A list that is more than strings on one line each stays as it is. */
function frontmatterSplices(field: string, { text, old, next }: Move): Splice[] | undefined {
  const { frontmatter } = parsePage('page.md', text)
  const end = dominantLineBreak(text)
  const plain = (address: string) => address.replace(/\/$/, '')
  const merged = (kept: readonly string[]) => [
    ...new Set([...kept.filter((one) => plain(one) !== plain(next) && plain(one) !== plain(old)), old]),
  ]
  if (!frontmatter) {
    // JSON: another syntax would have to be written.
    if (text.startsWith('{')) return undefined
    const lines = ['---', `${field}:`, `  - ${writeYamlString(old)}`, '---', '', '']
    return [{ start: 0, end: 0, text: lines.join(end) }]
  }
  const { body, kind } = frontmatter
  const source = text.slice(body.start, body.end)
  if (kind === 'toml') return tomlSplices(field, { source, start: body.start, merged, end })
  const { keys, strings } = readYaml(source, body.start)
  const key = keys.find(({ name }) => name === field)
  const close = body.end === body.start ? '' : end
  if (!key) return [{ start: body.end, end: body.end, text: `${close}${field}:${end}  - ${writeYamlString(old)}` }]
  const items = strings.filter(({ path }) => path[0] === field)
  const { lists, strings: single } = fieldsIn(items)
  const one = single[field]
  const kept = lists[field]
  const written = text.slice(key.value.start, key.value.end)
  const names = merged(kept ?? (one === undefined ? [] : [one]))
  if ((written.startsWith('[') || one !== undefined) && !/[\r\n]/.test(written))
    return [
      {
        start: key.value.start,
        end: key.value.end,
        text: `[${names.map((name) => writeYamlString(name)).join(', ')}]`,
      },
    ]
  const [first, last] = [items[0], items.at(-1)]
  if (!kept || !first || !last || items.some(({ style }) => style === 'block')) return undefined
  const indent = /[^\r\n]*$/.exec(text.slice(0, first.start))?.[0] ?? ''
  const list = names.map((name) => writeYamlString(name, first.style)).join(`${end}${indent}`)
  return [{ start: first.start, end: last.end, text: list }]
}

type Toml = {
  readonly source: string
  readonly start: number
  readonly merged: (kept: readonly string[]) => string[]
  readonly end: string
}

function tomlSplices(field: string, { source, start, merged, end }: Toml): Splice[] | undefined {
  const toml = readToml(source)
  const kept = tomlFields(toml).lists[field]
  const list = `[${merged(kept ?? [])
    .map((name) => JSON.stringify(name))
    .join(', ')}]`
  if (toml.problem) return undefined
  if (!toml.names.includes(field)) return [{ start, end: start, text: `${field} = ${list}${end}` }]
  const found = new RegExp(`^${field}[ \\t]*=[ \\t]*(\\[[^\\]]*\\])`, 'm').exec(source)
  if (!found || !kept) return undefined
  const at = start + found.index + found[0].length
  return [{ start: at - (found[1] ?? '').length, end: at, text: list }]
}

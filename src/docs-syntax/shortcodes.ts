// Reads a page of Hugo: Markdown with shortcodes (`{{< name >}}`, `{{% name %}}`), which Hugo replaces before it reads the
// Markdown, in code too. `ref` and `relref` name pages. Frontmatter may be JSON. Runs nothing, and never throws.

import { parsePage } from './markdown.ts'
import type { Heading, MarkdownPage, PageLink } from './page.ts'
import { createFinder, type Range, toBlank } from './text.ts'
import { readYaml } from './yaml.ts'

export type Shortcode = Range & {
  readonly name: string
  /** Whether it ends another one: `{{< /tabs >}}`. */
  readonly isEnd: boolean
  readonly args: readonly ShortcodeArg[]
}
/** The range is that of the value, without quotes. `name`: '' for one that counts by its place. */
export type ShortcodeArg = Range & { readonly name: string; readonly value: string }

/** `text`: the page without its shortcodes; every position is the same. */
export type ShortcodePage = MarkdownPage & { readonly shortcodes: readonly Shortcode[]; readonly text: string }

const maxInner = 2000
/** Shortcodes that do not end; more are no text of people. */
const maxOpen = 50
const arg = /(?:([\w-]+)=)?(?:"((?:[^"\\\r\n]|\\.)*)"|`([^`]*)`|([^\s"`=]+))/g
/** Stands for a shortcode within a word, so that an address with one in it is still an address. */
const filler = '\uE000'
const jsonMatter = /^\{[ \t]*\r?\n[^]*?\r?\n\}[ \t]*(?=\r?\n|$)/
const attributes = /[ \t]*\{([^{}\r\n]*)\}[ \t]*$/

export function readShortcodePage(source: string): ShortcodePage {
  const matter = /^(?:---|\+\+\+)[ \t]*\r?\n[^]*?\r?\n(?:---|\+\+\+)[ \t]*(?=\r?\n|$)/.exec(source)?.[0].length ?? 0
  const json = matter === 0 ? (jsonMatter.exec(source)?.[0] ?? '') : ''
  const shortcodes = readShortcodes(source, Math.max(matter, json.length))
  const text = withoutShortcodes(toBlank(json) + source.slice(json.length), shortcodes)
  const page = parsePage('page.md', text)
  const links = page.links.map((link) =>
    link.url.includes(filler) ? { ...link, url: source.slice(link.start, link.end) } : link,
  )
  const findAround = createFinder(links)
  const replaced = new Set<PageLink>()
  const references = shortcodes.flatMap((one) => {
    const around = findAround(one)
    const found = toReference(one, around)
    if (around && found.length > 0) replaced.add(around)
    return found
  })
  return {
    ...page,
    ...(json === '' ? {} : { frontmatter: jsonFrontmatter(json) }),
    links: [...links.filter((link) => !replaced.has(link)), ...references].toSorted((a, b) => a.start - b.start),
    shortcodes,
    text,
  }
}

/** The text from which Hugo makes the id of a heading: as it is written, on its last line. `id`: the one that it has. */
export function headingSource(text: string, { start, end }: Heading): { readonly text: string; readonly id?: string } {
  const lines = text.slice(start, end).split(/\r\n|\r|\n/)
  const last = lines.length > 1 ? lines.at(-2) : lines[0]
  const plain = (last ?? '').replace(/^\s*#{1,6}(?=\s|$)/, '').replace(/\s+#+\s*$/, '')
  const own = attributes.exec(plain)
  const id = /(?:^|\s)(?:#+([^\s#"'{}]+)|id=["']?([^\s"'{}]+))/.exec(own?.[1] ?? '')
  const isList = own !== null && /^\s*(?:(?:#+|\.)[\w:.-]+|[\w-]+=\S+)/.test(own[1] ?? '')
  const written = (isList ? plain.slice(0, own.index) : plain).replace(/\s+#+\s*$/, '').trim()
  return id && isList ? { text: written, id: id[1] ?? id[2] ?? '' } : { text: written }
}

function readShortcodes(source: string, from: number): Shortcode[] {
  const found: Shortcode[] = []
  let open = 0
  for (let at = source.indexOf('{{', from); at !== -1; at = source.indexOf('{{', at + 2)) {
    const [start = ''] = /^\{\{[<%](?!\/\*)-?/.exec(source.slice(at, at + 6)) ?? []
    if (start === '' || open > maxOpen) continue
    const end = closeOf(source, at + start.length, start[2] === '<' ? '>' : '%')
    if (end === -1) open += 1
    const inner = source.slice(at + start.length, Math.max(end, 0))
    const [head = '', slash = '', name = ''] = /^\s*(\/?)\s*([\w./-]+)/.exec(inner) ?? []
    if (name === '') continue
    const begin = at + start.length + head.length
    found.push({ start: at, end: end + 3, name, isEnd: slash !== '', args: readArgs(source.slice(begin, end), begin) })
    at = end + 1
  }
  return found
}

/** Where `>}}` begins, outside of quotes; -1: nowhere near. */
function closeOf(source: string, from: number, mark: string): number {
  const last = Math.min(source.length, from + maxInner)
  let quote = ''
  for (let at = from; at < last; at += 1) {
    const character = source.charAt(at)
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1
      else if (character === quote) quote = ''
    } else if (character === '"' || character === '`') quote = character
    else if (character === mark && source.startsWith(`${mark}}}`, at)) return at
  }
  return -1
}

function readArgs(inner: string, offset: number): ShortcodeArg[] {
  return Array.from(inner.matchAll(arg)).flatMap((found): ShortcodeArg[] => {
    const [whole, name = '', quoted, raw, bare] = found
    if (bare === '/' || bare === '-') return []
    const value = quoted ?? raw ?? bare ?? ''
    const end = offset + found.index + whole.length - (bare === undefined ? 1 : 0)
    return [{ name, value, start: end - value.length, end }]
  })
}

function withoutShortcodes(source: string, shortcodes: readonly Shortcode[]): string {
  let text = ''
  let end = 0
  for (const one of shortcodes) {
    const before = source.slice(Math.max(0, one.start - 200), one.start)
    const isInWord = /\S$|\][:(][ \t]*$/.test(before) || /\S/.test(source.charAt(one.end))
    const isLine = /(?:^|\n)[ \t]*$/.test(before)
    const whole = source.slice(one.start, one.end)
    text += source.slice(end, one.start) + (isInWord && !isLine ? whole.replace(/[^\r\n]/g, filler) : toBlank(whole))
    end = one.end
  }
  return text + source.slice(end)
}

/** `{{< ref "a.md#b" >}}`, as the address of a link or in the text. */
function toReference(one: Shortcode, around: PageLink | undefined): PageLink[] {
  if (one.isEnd || (one.name !== 'ref' && one.name !== 'relref')) return []
  const target = one.args.find(({ name }) => name === 'path') ?? one.args.find(({ name }) => name === '')
  if (!target) return []
  const { start, end, value: url } = target
  const empty = { start: one.end, end: one.end }
  return [
    {
      kind: 'doc',
      start,
      end,
      url,
      whole: around?.whole ?? { start: one.start, end: one.end },
      label: around ? around.label : empty,
      element: undefined,
      identifier: undefined,
    },
  ]
}

/** JSON is YAML. */
function jsonFrontmatter(json: string): NonNullable<MarkdownPage['frontmatter']> {
  const range = { start: 0, end: json.length }
  const { strings, problem } = readYaml(json)
  return { ...range, body: range, kind: 'yaml', strings, problem }
}

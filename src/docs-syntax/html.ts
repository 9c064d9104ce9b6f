// Reads HTML and JSX tags inside Markdown and tolerates errors: finds text, attributes and code. Builds no tree, never
// throws, and takes linear time.

import type { Range } from './text.ts'

export type TagAttribute = Range & {
  readonly name: string
  /** The value without its quotes. */
  readonly value: Range
  readonly quote: '"' | "'" | '{' | ''
}

export type Tag = Range & {
  readonly name: string
  readonly kind: 'open' | 'close' | 'void'
  readonly attributes: readonly TagAttribute[]
}

export type Markup = {
  readonly tags: readonly Tag[]
  /** Text between tags, except code, comments, scripts and styles. */
  readonly text: readonly Range[]
  readonly code: readonly Range[]
}

/** Elements whose content is not prose. */
export const codeElements: ReadonlySet<string> = new Set([
  'code',
  'pre',
  'kbd',
  'samp',
  'var',
  'script',
  'style',
  'textarea',
  'CodeBlock',
])

const opening = /<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z][\w.:-]*)/g
const attribute =
  /\s*(?:\/(?!>)|\{[^{}]*\}|([^\s=/<>"'{}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|[^\s"'{}>]+))?)/y
const closing = /\s*(\/?)>/y

/** Reads the given range of `text` and nothing outside it. Offsets in the result refer to `text`. */
export function readMarkup(text: string, range: Range): Markup {
  const part = text.slice(range.start, range.end)
  if (!part.includes('<')) return { tags: [], text: part === '' ? [] : [range], code: [] }
  const tags: Tag[] = []
  const between: Range[] = []
  const pattern = new RegExp(opening)
  let position = 0
  for (let found = pattern.exec(part); found; found = pattern.exec(part)) {
    const isComment = found[2] === undefined
    const tag = isComment ? undefined : readTag(part, found)
    if (!isComment && !tag) continue
    between.push({ start: position, end: found.index })
    position = tag?.end ?? pattern.lastIndex
    if (tag) tags.push(tag)
    pattern.lastIndex = position
  }
  between.push({ start: position, end: part.length })
  const code = codeRanges(tags, part.length)
  const prose = between.filter((one) => one.start < one.end).filter(createOutside(code))
  const moved = <Kind extends Range>(one: Kind): Kind => shift(one, range.start)
  return { tags: tags.map((tag) => shiftTag(tag, range.start)), code: code.map(moved), text: prose.map(moved) }
}

/** Returns a function that reports whether a range is outside all of `ranges`. Both must come in ascending order. */
function createOutside(ranges: readonly Range[]): (one: Range) => boolean {
  let index = 0
  return (one) => {
    while ((ranges[index]?.end ?? Infinity) < one.end) index += 1
    return (ranges[index]?.start ?? Infinity) > one.start
  }
}

function shift<Kind extends Range>(range: Kind, by: number): Kind {
  return { ...range, start: range.start + by, end: range.end + by }
}

function shiftTag(tag: Tag, by: number): Tag {
  const attributes = tag.attributes.map((one) => ({ ...shift(one, by), value: shift(one.value, by) }))
  return { ...shift(tag, by), attributes }
}

/** Reads the tag that starts at the match; undefined if it is not a tag. */
function readTag(text: string, found: RegExpExecArray): Tag | undefined {
  const attributes: TagAttribute[] = []
  let end = found.index + found[0].length
  for (;;) {
    attribute.lastIndex = end
    const next = attribute.exec(text)
    if (!next || next[0] === '') break
    const start = end
    end += next[0].length
    if (next[1] !== undefined && next[2] !== undefined)
      attributes.push(toAttribute(next[1], next[2], { start: end - next[0].trimStart().length, end }))
    if (end === start) break
  }
  closing.lastIndex = end
  const close = closing.exec(text)
  if (!close) return undefined
  const kind = found[1] === '/' ? 'close' : close[1] === '/' ? 'void' : 'open'
  return { kind, name: found[2] ?? '', attributes, start: found.index, end: end + close[0].length }
}

function toAttribute(name: string, written: string, range: Range): TagAttribute {
  const [first] = written
  const quote = first === '"' || first === "'" || first === '{' ? first : ''
  const edge = quote === '' ? 0 : 1
  return { ...range, name, quote, value: { start: range.end - written.length + edge, end: range.end - edge } }
}

function codeRanges(tags: readonly Tag[], end: number): Range[] {
  const ranges: Range[] = []
  let open: Tag | undefined
  for (const tag of tags) {
    if (!open && tag.kind === 'open' && codeElements.has(tag.name)) open = tag
    else if (open && tag.kind === 'close' && tag.name === open.name) {
      ranges.push({ start: open.end, end: tag.start })
      open = undefined
    }
  }
  return open ? [...ranges, { start: open.end, end }] : ranges
}

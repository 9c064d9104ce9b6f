// Reads a page line by line if no parser accepts it. Recognises frontmatter, fences, code spans, links, headings and tags,
// and treats everything else as prose.

import { collectMarkup } from './attributes.ts'
import { type PageDraft, createDraft } from './page.ts'
import { type Range, lineStarts } from './text.ts'
import { readYaml } from './yaml.ts'

const frontmatter = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?:(?<=\r\n|\r|\n)---[ \t]*(?=\r|\n|$))/
const fence = /^ {0,3}(`{3,}|~{3,})/
/** A line without these characters is prose as a whole. */
const meaningful = /[`~[<#]/
/** The repetitions are bounded, so a long line of opening brackets cannot take long. */
const inline =
  /(`{1,5})(?!`)[^\n\r]{1,300}?(?<!`)\1(?!`)|(!?)\[([^\][\n\r]{0,300})\]\(<?([^\s()<>]{0,1000})>?(?:[ \t]+"[^"\n\r]{0,300}")?\)/g

export function readByLines(source: string): PageDraft {
  const draft = createDraft(source)
  const head = frontmatter.exec(source)
  if (head) {
    const start = /^.*(?:\r\n|\r|\n)/.exec(head[0])?.[0].length ?? 0
    const body = { start, end: start + (head[1] ?? '').length }
    const { strings, problem } = readYaml(head[1] ?? '', start)
    draft.frontmatter = { start: 0, end: head[0].length, body, kind: 'yaml', strings, problem }
  }
  readBody(head?.[0].length ?? 0, draft)
  return draft
}

function readBody(from: number, draft: PageDraft): void {
  const { source } = draft
  const starts = lineStarts(source)
  let open: { readonly start: number; readonly mark: string } | undefined
  for (const [index, start] of starts.entries()) {
    if (start < from) continue
    const end = starts[index + 1] ?? source.length
    const line = source.slice(start, end)
    const isPlain = !meaningful.test(line)
    const mark = isPlain ? undefined : fence.exec(line)?.[1]
    if (open) {
      if (!mark?.startsWith(open.mark)) continue
      draft.code.push({ start: open.start, end })
      open = undefined
    } else if (mark) open = { start, mark }
    else if (isPlain) pushPlain({ start, end }, draft)
    else readLine({ start, end }, draft)
  }
  if (open) draft.code.push({ start: open.start, end: source.length })
}

/** Plain lines that follow each other are one range. */
function pushPlain({ start, end }: Range, { prose }: PageDraft): void {
  const last = prose.at(-1)
  const isNext = last?.kind === 'text' && last.end === start
  if (isNext) prose[prose.length - 1] = { ...last, end }
  else if (end > start) prose.push({ start, end, kind: 'text' })
}

function readLine(range: Range, draft: PageDraft): void {
  const line = draft.source.slice(range.start, range.end)
  const heading = /^ {0,3}(#{1,6})[ \t]+/.exec(line)
  if (heading) {
    const text = headingText(line.slice(heading[0].length))
    draft.headings.push({ ...range, depth: heading[1]?.length ?? 1, text })
  }
  let position = range.start
  for (const found of line.matchAll(inline)) {
    const start = range.start + found.index
    const end = start + found[0].length
    if (start > position) collectMarkup({ start: position, end: start }, draft)
    if (found[1]) draft.code.push({ start, end })
    else readLink(found, { start, end }, draft)
    position = end
  }
  if (range.end > position) collectMarkup({ start: position, end: range.end }, draft)
}

/** Without the number signs that may close a heading. A pattern would take quadratic time for a long run of spaces. */
function headingText(line: string): string {
  const text = withoutEnd(line, ' \t\r\n')
  const open = withoutEnd(text, '#')
  const isClosed = open.length < text.length && /[ \t]$/.test(open.slice(-1))
  return isClosed ? withoutEnd(open, ' \t') : text
}

function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

function readLink(found: RegExpExecArray, whole: Range, draft: PageDraft): void {
  const [, , image = '', text = '', url = ''] = found
  const label = { start: whole.start + image.length + 1, end: whole.start + image.length + 1 + text.length }
  const start = draft.source.indexOf(url, label.end + 2)
  const kind = image ? 'image' : 'link'
  draft.links.push({
    kind,
    url,
    whole,
    label,
    start,
    end: start + url.length,
    element: undefined,
    identifier: undefined,
  })
  if (text) draft.prose.push({ ...label, kind: 'text' })
}

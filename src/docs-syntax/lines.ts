// Reads a page line by line if no parser accepts it. Recognises frontmatter, fences, code spans, links, headings and tags,
// and treats everything else as prose.

import { collectMarkup } from './attributes.ts'
import { type PageDraft, createDraft } from './page.ts'
import { type Range, lineStarts } from './text.ts'
import { readYaml } from './yaml.ts'

const frontmatter = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?:(?<=\r\n|\r|\n)---[ \t]*(?=\r|\n|$))/
const fence = /^ {0,3}(`{3,}|~{3,})/
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
    const mark = fence.exec(source.slice(start, end))?.[1]
    if (open) {
      if (!mark?.startsWith(open.mark)) continue
      draft.code.push({ start: open.start, end })
      open = undefined
    } else if (mark) open = { start, mark }
    else readLine({ start, end }, draft)
  }
  if (open) draft.code.push({ start: open.start, end: source.length })
}

function readLine(range: Range, draft: PageDraft): void {
  const line = draft.source.slice(range.start, range.end)
  const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r\n]*$/.exec(line)
  if (heading) draft.headings.push({ ...range, depth: heading[1]?.length ?? 1, text: heading[2] ?? '' })
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

// Reads the entries of a `toctree`: documents, patterns, addresses and `self`, each with a title of its own or not.

import type { Range } from '../text.ts'
import { type DirectiveOption, type RstLine, type RstState, type ToctreeEntry, restOf } from './state.ts'

type Written = {
  readonly whole: Range
  readonly content: readonly RstLine[]
  readonly options: readonly DirectiveOption[]
}

/** Adds the toctree, and its entries as links: a document is of kind `doc`, an address a `link`. */
export function readToctree(state: RstState, { whole, content, options }: Written): void {
  const values = new Map(options.map(({ name, value }) => [name, value.map(({ text }) => text).join(' ')]))
  const entries = content.filter(({ text }) => text !== '').map((line) => toEntry(line, values.has('glob')))
  const column = (options[0]?.line ?? content[0])?.column ?? 0
  state.toctrees.push({ ...whole, options: values, entries, column })
  for (const entry of entries) addEntry(state, entry)
}

function addEntry(state: RstState, { start, end, kind, target, title, whole }: ToctreeEntry): void {
  if (title && title.end > title.start) state.prose.push({ start: title.start, end: title.end, kind: 'text' })
  if (kind !== 'doc' && kind !== 'url') return
  const label = title && { start: title.start, end: title.end }
  const common = { start, end, url: target, whole, label, element: undefined, identifier: undefined }
  state.links.push({ ...common, kind: kind === 'doc' ? 'doc' : 'link' })
}

function toEntry(line: RstLine, isGlob: boolean): ToctreeEntry {
  const { text } = line
  const open = text.lastIndexOf('<')
  const hasTitle = open > 0 && text.endsWith('>') && text.slice(0, open).trim() !== ''
  const target = hasTitle ? restOf(line, open + 1, text.length - 1) : line
  const title = hasTitle ? restOf(line, 0, open) : undefined
  const kind = kindOf(target.text, isGlob && !hasTitle)
  return {
    start: target.start,
    end: target.end,
    target: target.text,
    kind,
    title: title && { start: title.start, end: title.end, text: title.text },
    whole: { start: line.start, end: line.end },
  }
}

function kindOf(target: string, isGlob: boolean): ToctreeEntry['kind'] {
  if (target === 'self') return 'self'
  if (/^[a-z][\w+.-]*:\/\//i.test(target)) return 'url'
  return isGlob && /[*?[]/.test(target) ? 'glob' : 'doc'
}

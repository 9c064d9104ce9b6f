// Plans the insertion of a text into many pages: where it goes in each, and why not. Writes nothing.

import { createSelector, toSelection } from '../../../docs-syntax/glob.ts'
import { isPagePath, parsePage } from '../../../docs-syntax/markdown.ts'
import { dominantLineBreak, type Splice, withLineFeeds } from '../../../docs-syntax/text.ts'
import { findHeading } from '../edit-file/heading.ts'
import { showPath } from '../result.ts'
import { readTextFile, type TextFile } from '../text-file.ts'
import type { Workspace } from '../../workspace.ts'

export type Inserting = {
  /** `frontmatter`, `title`, `end`, or a heading that begins with `#`. */
  readonly place: string
  readonly text: string
  readonly glob: string | undefined
  readonly exclude: string | undefined
}

/** `lines`: where the text is after the insertion. */
type Inserted = {
  readonly splices: readonly Splice[]
  readonly lines: { readonly first: number; readonly last: number }
}

export type Insertion = {
  readonly files: readonly (TextFile & Inserted)[]
  /** Pages that were wanted and have no such place, or have the text there, each with the reason. */
  readonly skipped: readonly string[]
}

/** Only this is parsed: the rest of a page takes long. */
const frontmatter = /^(---|\+\+\+)[ \t]*\n(?:[^]*?\n)?\1[ \t]*(?:\n|$)/

export function isPlace(place: string): boolean {
  return ['frontmatter', 'title', 'end'].includes(place) || /^#+\s*\S/.test(place)
}

export async function planInsertion(
  workspace: Workspace,
  { place, text, glob, exclude }: Inserting,
  signal: AbortSignal,
): Promise<Insertion> {
  const isWanted = createSelector(toSelection(glob, exclude))
  const block = withLineFeeds(text).text.replace(/^\n+|\n+$/g, '')
  const files: Insertion['files'][number][] = []
  const skipped: string[] = []
  for (const { path, kind } of await workspace.list()) {
    if (kind !== 'file' || !isPagePath(path) || !isWanted(path)) continue
    signal.throwIfAborted()
    const file = await readTextFile(workspace, path)
    if ('problem' in file) {
      skipped.push(file.reason)
      continue
    }
    const planned = insertInto(file, place, block)
    if (typeof planned === 'string') skipped.push(`${showPath(path)}: ${planned}`)
    else files.push({ ...file, ...planned })
  }
  return { files, skipped }
}

/** Blank lines are around the block, and all other lines stay as they are. Returns the reason if there is no place. */
function insertInto(file: TextFile, place: string, block: string): Inserted | string {
  const { text, offsets } = withLineFeeds(file.text)
  const at = findPlace(file.path, text, place)
  if (typeof at === 'string') return at
  const [before, after] = [text.slice(0, at), text.slice(at)]
  const isThere =
    place === 'end' ? `\n${before}`.endsWith(`\n${block}`) : `${after.replace(/^\n+/, '')}\n`.startsWith(`${block}\n`)
  if (isThere) return 'the text is there'
  const ending = text === '' ? '\n' : ''
  const gap = after.trim() === '' ? ending : '\n\n'.slice(/^\n{0,2}/.exec(after)?.[0].length)
  const lead = before === '' ? '' : '\n\n'
  const start = offsets[at] ?? 0
  const inserted = `${lead}${block}${gap}`.replaceAll('\n', dominantLineBreak(file.text))
  const first = `${before}${lead}`.split('\n').length
  const last = first + block.split('\n').length - 1
  return { splices: [{ start, end: start, text: inserted }], lines: { first, last } }
}

/** Returns an offset at the end of a line, or the reason why the page has no such place. The text has LF line breaks. */
function findPlace(path: string, text: string, place: string): number | string {
  if (place === 'end') return text.replace(/\n+$/, '').length
  if (place === 'frontmatter') return parsePage(path, frontmatter.exec(text)?.[0] ?? '').frontmatter?.end ?? 0
  const page = parsePage(path, text)
  const title = page.headings.filter(({ depth }) => depth === 1).toSorted((a, b) => a.start - b.start)[0]
  const meant = place === 'title' ? title && { found: title } : findHeading(text, page, place)
  if (meant === undefined) return 'no heading of level 1'
  if ('problem' in meant) return meant.problem
  const { start, end } = meant.found
  if (/\S/.test(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))) return 'the heading is in a quote or a list'
  const next = text.indexOf('\n', end)
  return next === -1 ? text.length : next
}

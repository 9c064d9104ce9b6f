// A change as rows: what the virtual list shows, one below the other, unified or side by side. Pure.

import { countFrom, type Hunk, type Line, parsePatch } from '../patch.ts'

export type ChangedFile = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly binary: boolean
  readonly additions: number
  readonly deletions: number
  readonly patch: string
}

export type Layout = 'unified' | 'split'

/** `base`: a line before the change. */
export type Place = { readonly path: string; readonly at: 'base' | 'head'; readonly line: number }

export type Row = { readonly key: string; readonly file: ChangedFile } & (
  | { readonly kind: 'file' | 'preview' }
  | { readonly kind: 'hunk' | 'note'; readonly text: string }
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'pair'; readonly left: Line | undefined; readonly right: Line | undefined }
  | { readonly kind: 'comments'; readonly place: Place }
  /** `isAside`: the change does not show the line, so the marks are below the heading of the file. */
  | { readonly kind: 'marks'; readonly place: Place; readonly isAside: boolean }
)

export type View = {
  readonly layout: Layout
  readonly folded: ReadonlySet<string>
  readonly previewed: ReadonlySet<string>
  /** The places with a comment, or where one is being written, as `placeKey` names them. */
  readonly comments: ReadonlySet<string>
  /** The lines after the change with a mark, by path. 0: the file. */
  readonly marks: ReadonlyMap<string, ReadonlySet<number>>
}

const parsed = new WeakMap<ChangedFile, readonly Hunk[]>()

/** Parsed once: folding a file or changing the layout does not read 24,000 lines again. */
export function hunksOf(file: ChangedFile): readonly Hunk[] {
  const hunks = parsed.get(file) ?? parsePatch(file.patch)
  parsed.set(file, hunks)
  return hunks
}

export function placeKey({ path, at, line }: Place): string {
  return `${at} ${line} ${path}`
}

export function placeOf(path: string, line: Line): Place {
  return line.after === undefined
    ? { path, at: 'base', line: line.before ?? 0 }
    : { path, at: 'head', line: line.after }
}

export function toRows(files: readonly ChangedFile[], view: View): readonly Row[] {
  return files.flatMap((file) => {
    const head: Row = { kind: 'file', file, key: `file ${file.path}` }
    if (view.folded.has(file.path)) return [head]
    if (view.previewed.has(file.path)) return [head, { kind: 'preview', file, key: `preview ${file.path}` }]
    const note = noteOf(file)
    const heading = [head, ...toAsideRows(file, view)]
    if (note !== undefined) return [...heading, { kind: 'note', file, text: note, key: `note ${file.path}` }]
    return [...heading, ...hunksOf(file).flatMap((hunk, index) => toHunkRows(file, { hunk, index }, view))]
  })
}

/** Marks on lines that the change does not show. */
function toAsideRows(file: ChangedFile, { marks }: View): readonly Row[] {
  const marked = marks.get(file.path)
  if (marked === undefined) return []
  const shown = new Set(hunksOf(file).flatMap(({ lines }) => lines.map(({ after }) => after)))
  return [...marked]
    .filter((line) => !shown.has(line))
    .toSorted((a, b) => a - b)
    .map((line) => toMarks(file, line, true))
}

function toMarks(file: ChangedFile, line: number, isAside: boolean): Row {
  const place: Place = { path: file.path, at: 'head', line }
  return { kind: 'marks', file, place, isAside, key: `marks ${placeKey(place)}` }
}

function noteOf(file: ChangedFile): string | undefined {
  if (file.binary) return file.status === 'deleted' ? 'A binary file, deleted.' : 'A binary file: no lines to compare.'
  if (hunksOf(file).length > 0) return undefined
  if (file.additions + file.deletions > 0) return 'This change is too large to show here. Read it in the repository.'
  if (file.status === 'renamed') return 'Renamed without changes.'
  return file.status === 'modified' ? 'Only the mode of the file has changed.' : 'An empty file.'
}

type Numbered = { readonly hunk: Hunk; readonly index: number }

function toHunkRows(file: ChangedFile, { hunk, index }: Numbered, view: View): readonly Row[] {
  const rows: Row[] = []
  // A new file has one hunk, and nothing above it.
  const isWhole = index === 0 && (hunk.lines[0]?.before ?? hunk.lines[0]?.after ?? 1) === 1
  if (!isWhole) rows.push({ kind: 'hunk', file, text: hunk.heading, key: `hunk ${index} ${file.path}` })
  const marked = view.marks.get(file.path)
  const addBelow = (line: Line | undefined) => {
    if (line?.after !== undefined && marked?.has(line.after) === true) rows.push(toMarks(file, line.after, false))
    // Most changes have no comment: 24,000 lines then need no key of their place.
    if (line === undefined || view.comments.size === 0) return
    const place = placeOf(file.path, line)
    if (view.comments.has(placeKey(place)))
      rows.push({ kind: 'comments', file, place, key: `comments ${placeKey(place)}` })
  }
  if (view.layout === 'unified') {
    for (const line of hunk.lines) {
      rows.push({ kind: 'line', file, line, key: `line ${line.index} ${file.path}` })
      addBelow(line)
    }
    return rows
  }
  for (const { left, right } of toPairs(hunk.lines)) {
    rows.push({ kind: 'pair', file, left, right, key: `pair ${left?.index ?? ''} ${right?.index ?? ''} ${file.path}` })
    if (left?.kind === 'removed') addBelow(left)
    addBelow(right)
  }
  return rows
}

type Pair = { readonly left: Line | undefined; readonly right: Line | undefined }

function toPairs(lines: readonly Line[]): readonly Pair[] {
  const pairs: Pair[] = []
  for (let start = 0; start < lines.length;) {
    const line = lines[start]
    const removed = countFrom(lines, start, 'removed')
    const added = countFrom(lines, start + removed, 'added')
    for (let step = 0; step < Math.max(removed, added); step += 1) {
      const left = step < removed ? lines[start + step] : undefined
      pairs.push({ left, right: step < added ? lines[start + removed + step] : undefined })
    }
    if (removed + added === 0) pairs.push({ left: line, right: line })
    start += Math.max(1, removed + added)
  }
  return pairs
}

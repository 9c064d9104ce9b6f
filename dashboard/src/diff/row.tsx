// One row of a change, of whatever kind.

import type { ReactNode } from 'react'
import { FileHead, type FileActions } from './file-head.tsx'
import { LineNumber, LineText, looks } from './line.tsx'
import type { Line } from './patch.ts'
import { hunksOf, type Place, type Row } from './lines/rows.ts'
import { type Marks, MarksOfLine } from './marks.tsx'
import type { Tokens } from './use-tokens.ts'
import { type Changed, changedWords } from './lines/words.ts'

export type RowContext = FileActions & {
  readonly folded: ReadonlySet<string>
  readonly previewed: ReadonlySet<string>
  readonly tokens: Tokens
  readonly onComment: ((place: Place) => void) | undefined
  readonly renderPreview: (path: Row['file']) => ReactNode
  readonly renderComments: (place: Place) => ReactNode
  readonly marks: Marks
}

type Props = { readonly row: Row; readonly isCurrent: boolean; readonly context: RowContext }

export function RowView({ row, isCurrent, context }: Props): ReactNode {
  switch (row.kind) {
    case 'file': {
      const { file } = row
      const isFolded = context.folded.has(file.path)
      return <FileHead {...context} file={file} isFolded={isFolded} isPreviewed={context.previewed.has(file.path)} />
    }
    case 'preview':
      return context.renderPreview(row.file)
    case 'comments':
      return context.renderComments(row.place)
    case 'marks':
      return <MarksOfLine place={row.place} isAside={row.isAside} marks={context.marks} />
    case 'note':
      return <p className="px-4 py-3 font-sans text-sm text-muted">{row.text}</p>
    case 'hunk':
      return (
        <p className="truncate bg-sunken px-3 text-muted">
          <span aria-hidden>⋯</span> {row.text}
        </p>
      )
    case 'line':
      return <UnifiedLine row={row} isCurrent={isCurrent} context={context} />
    case 'pair':
      return (
        <div className="grid grid-cols-2">
          <Half row={row} line={row.left} at="base" isCurrent={isCurrent} context={context} />
          <Half row={row} line={row.right} at="head" isCurrent={isCurrent} context={context} />
        </div>
      )
    default:
      return row satisfies never
  }
}

type UnifiedProps = Props & { readonly row: Extract<Row, { kind: 'line' }> }

function UnifiedLine({ row: { file, line }, isCurrent, context }: UnifiedProps) {
  const { path } = file
  const { ground, mark } = looks[line.kind]
  const isRemoved = line.kind === 'removed'
  const before = isRemoved && line.before !== undefined ? ({ path, at: 'base', line: line.before } as const) : undefined
  const after = line.after === undefined ? undefined : ({ path, at: 'head', line: line.after } as const)
  const number = { isCurrent, onComment: context.onComment }
  return (
    <div
      className={`grid grid-cols-[2.75rem_2.75rem_1.25rem_minmax(0,1fr)] max-sm:grid-cols-[2rem_2rem_1rem_minmax(0,1fr)] ${ground}`}
    >
      <LineNumber {...number} number={line.before} place={before} />
      <LineNumber {...number} number={line.after} place={after} />
      <span className="text-center select-none">{mark}</span>
      <LineText line={line} tokens={context.tokens.get(path)?.[line.index]} changed={wordsOf(file, line)} />
    </div>
  )
}

type HalfProps = {
  readonly row: Row
  readonly line: Line | undefined
  readonly at: Place['at']
  readonly isCurrent: boolean
  readonly context: RowContext
}

function Half({ row: { file }, line, at, isCurrent, context }: HalfProps) {
  const side = at === 'base' ? 'border-r border-line' : ''
  if (line === undefined) return <div className={`bg-sunken ${side}`} />
  const { ground, mark } = looks[line.kind]
  const number = at === 'base' ? line.before : line.after
  // An unchanged line is on both sides; the comment belongs to the line as it is now.
  const place =
    number === undefined || (at === 'base' && line.kind === 'same') ? undefined : { path: file.path, at, line: number }
  return (
    <div className={`grid grid-cols-[2.75rem_1.25rem_minmax(0,1fr)] ${ground} ${side}`}>
      <LineNumber number={number} place={place} isCurrent={isCurrent} onComment={context.onComment} />
      <span className="text-center select-none">{mark}</span>
      <LineText line={line} tokens={context.tokens.get(file.path)?.[line.index]} changed={wordsOf(file, line)} />
    </div>
  )
}

const found = new WeakMap<Line, Changed | undefined>()

/** Only computed for lines in sight, once for both lines of a pair. */
function wordsOf(file: Row['file'], line: Line) {
  if (line.mate === undefined) return undefined
  const mate = hunksOf(file)
    .find(({ lines }) => (lines.at(-1)?.index ?? -1) >= line.index)
    ?.lines.find(({ index }) => index === line.mate)
  if (mate === undefined) return undefined
  const [before, after] = line.kind === 'removed' ? [line, mate] : [mate, line]
  if (!found.has(before)) found.set(before, changedWords(before.text, after.text))
  const changed = found.get(before)
  return line.kind === 'removed' ? changed?.before : changed?.after
}

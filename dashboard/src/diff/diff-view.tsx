// A change, file by file. Only the rows in sight are in the document, so 300 files cost what one does. Knows nothing of
// where a change comes from: previews and comments are the caller's.

import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import './diff.css'
import { FileHead } from './file-head.tsx'
import { linesOf, type Marks, noMarks } from './marks.tsx'
import { type RowContext, RowView } from './row.tsx'
import type { ChangedFile, Place } from './lines/rows.ts'
import { Toolbar } from './toolbar.tsx'
import { useChange } from './use-change.ts'
import { useLayout } from './use-layout.ts'
import { isLine, useLineKeys } from './use-line-keys.ts'
import { useRows } from './use-rows.ts'
import { type Target, useTarget } from './use-target.ts'
import { useTokens } from './use-tokens.ts'

type LineComments = {
  /** The places that have comments, as `placeKey` names them. */
  readonly places: ReadonlySet<string>
  /** Shows the comments on a line; `close` is set while one is being written. */
  readonly render: (place: Place, close: (() => void) | undefined) => ReactNode
  readonly mayWrite: boolean
}

type Props = {
  readonly files: readonly ChangedFile[]
  /** Shows a page or an image before and after. Undefined: there are no previews. */
  readonly preview?: (file: ChangedFile) => ReactNode
  readonly comments?: LineComments
  /** Statements of the service about lines of the change. */
  readonly marks?: Marks
  /** Scrolls to this place whenever it is another object. Line 0: the heading of the file. */
  readonly target?: Target | undefined
}

export function DiffView({ files, preview, comments, marks = noMarks, target }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { layout, isWide, choose } = useLayout(box)
  const markedLines = useMemo(() => linesOf(marks), [marks])
  const change = useChange(files, layout, { comments: comments?.places, marks: markedLines })
  const { rows } = change
  const virtual = useRows(rows, box)
  const { tokens, ask } = useTokens(files)
  const items = virtual.getVirtualItems().flatMap((item) => {
    const row = rows[item.index]
    return row === undefined ? [] : [{ ...item, row }]
  })
  useEffect(() => {
    for (const { row } of items) ask(row.file)
  })
  const { scrollToIndex } = virtual
  const reveal = useCallback((index: number) => scrollToIndex(index, { align: 'auto' }), [scrollToIndex])
  const chosen = useLineKeys(rows, box, reveal)
  const current = (items.find(({ row }) => row === chosen) ?? items.find(({ row }) => isLine(row)))?.row
  useTarget(target, { rows, box, reveal: scrollToIndex, open: change.open })
  const top = rows[virtual.range?.startIndex ?? 0]
  const context = { ...change, tokens, marks, ...toContext(change, preview, comments) }
  const jump = (path: string) =>
    scrollToIndex(
      rows.findIndex(({ kind, file }) => kind === 'file' && file.path === path),
      { align: 'start' },
    )
  return (
    <div className="relative isolate">
      <Toolbar
        files={files}
        current={top?.file.path ?? ''}
        onJump={jump}
        layout={isWide ? layout : undefined}
        onLayout={choose}
        areAllFolded={change.areAllFolded}
        onFoldAll={change.foldAll}
      />
      {top && top.kind !== 'file' && <Sticky file={top.file} context={context} />}
      <div ref={box} role="region" aria-label="Changes" className={boxStyle}>
        <div className="relative -my-px" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start, row }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              {...placeAt(start - virtual.options.scrollMargin)}
            >
              <RowView row={row} isCurrent={row === current} context={context} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

function toContext(
  change: ReturnType<typeof useChange>,
  preview: Props['preview'],
  comments: LineComments | undefined,
): Omit<RowContext, 'folded' | 'previewed' | 'tokens' | 'marks'> {
  return {
    onFold: change.fold,
    onPreview: preview && change.showPreview,
    onComment: comments?.mayWrite === true ? change.write : undefined,
    renderPreview: (file) => preview?.(file),
    renderComments: (place) => comments?.render(place, change.closerOf(place)),
  }
}

function placeAt(top: number) {
  return { className: 'absolute inset-x-0 top-0', style: { transform: `translateY(${top}px)` } }
}

const boxStyle = 'overflow-clip rounded-lg border border-line font-mono text-[0.8125rem]/6 [tab-size:4]'

/** The heading of the file in sight, while its own is above the window. */
function Sticky({ file, context }: { readonly file: ChangedFile; readonly context: RowContext }) {
  return (
    <div aria-hidden className="sticky top-12 z-10 h-0">
      <FileHead {...context} isCopy file={file} isFolded={false} isPreviewed={context.previewed.has(file.path)} />
    </div>
  )
}

// The changes of a job, file by file. Only the rows in sight are in the document.

import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import type { FileDiff } from '../api/jobs.ts'
import { type Line, type Row, toRows } from './rows.ts'

type Props = { readonly files: readonly FileDiff[] }

const lineHeight = 22
const headHeight = 40

export function DiffView({ files }: Props) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => toRows(files, (path) => folded.has(path)), [files, folded])
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (rows[index]?.kind === 'file' ? headHeight : lineHeight),
    overscan: 20,
  })
  const fold = (path: string) => setFolded((before) => toggled(before, path))
  const additions = files.reduce((sum, file) => sum + file.additions, 0)
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0)
  return (
    <>
      <p className="mb-2 text-sm text-muted">
        {files.length} {files.length === 1 ? 'file' : 'files'}, <span className="text-good">+{additions}</span>{' '}
        <span className="text-bad">−{deletions}</span>
      </p>
      <div
        ref={box}
        tabIndex={0}
        role="region"
        aria-label="Changes"
        className="h-[70dvh] overflow-auto rounded-lg border border-line"
      >
        <div className="relative min-w-fit font-mono text-[0.8125rem]" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div
                key={index}
                className="absolute left-0 w-full"
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                <RowView row={row} isFolded={row.kind === 'file' && folded.has(row.file.path)} onFold={fold} />
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

function toggled(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(path)) after.add(path)
  return after
}

type RowProps = { readonly row: Row<FileDiff>; readonly isFolded: boolean; readonly onFold: (path: string) => void }

function RowView({ row, isFolded, onFold }: RowProps) {
  if (row.kind === 'line') return <LineView line={row.line} />
  if (row.kind === 'hunk') return <p className="truncate bg-sunken px-3 leading-[22px] text-muted">⋯ {row.text}</p>
  if (row.kind === 'note') return <p className="px-3 leading-[22px] text-muted">{row.text}</p>
  const { file } = row
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={() => onFold(file.path)}
      className="flex h-full w-full cursor-pointer items-center gap-2 border-y border-line bg-sunken px-3 text-left font-sans"
    >
      <span aria-hidden>{isFolded ? '▸' : '▾'}</span>
      <span className="truncate">
        {file.previousPath !== null && file.previousPath !== file.path
          ? `${file.previousPath} → ${file.path}`
          : file.path}
      </span>
      <span className="text-sm text-muted">{file.status}</span>
      <span className="ml-auto text-sm">
        <span className="text-good">+{file.additions}</span> <span className="text-bad">−{file.deletions}</span>
      </span>
    </button>
  )
}

const looks = {
  added: { ground: 'bg-added', mark: '+', name: 'added' },
  removed: { ground: 'bg-removed', mark: '−', name: 'removed' },
  same: { ground: '', mark: ' ', name: '' },
} as const

function LineView({ line }: { readonly line: Line }) {
  const { ground, mark, name } = looks[line.kind]
  return (
    <div className={`flex leading-[22px] whitespace-pre ${ground}`}>
      <span className="w-12 shrink-0 pr-2 text-right text-muted select-none">{line.before}</span>
      <span className="w-12 shrink-0 pr-2 text-right text-muted select-none">{line.after}</span>
      <span className="w-5 shrink-0 text-center select-none">
        <span aria-hidden>{mark}</span>
        {name !== '' && <span className="sr-only">{name}</span>}
      </span>
      <span className="pr-4">{line.text}</span>
    </div>
  )
}

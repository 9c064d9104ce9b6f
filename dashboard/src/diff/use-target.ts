// Brings a place of a change into sight: opens its file, scrolls to its line, and moves the focus to the marks there.

import { type RefObject, useEffect, useRef } from 'react'
import type { Row } from './lines/rows.ts'

/** A line after the change; 0 for the heading of the file. */
export type Target = { readonly path: string; readonly line: number }

type Change = {
  readonly rows: readonly Row[]
  readonly box: RefObject<HTMLElement | null>
  readonly reveal: (index: number, options: { readonly align: 'start' | 'center' }) => void
  /** Unfolds the file, and closes its preview. */
  readonly open: (path: string) => void
}

export function useTarget(target: Target | undefined, { rows, box, reveal, open }: Change): void {
  const reached = useRef<Target | undefined>(undefined)
  const focused = useRef<Target | undefined>(undefined)
  useEffect(() => {
    if (target === undefined || reached.current === target) return
    const index = indexOf(rows, target)
    if (index === undefined) return
    const isOpen = rows[index]?.kind !== 'file' || rows[index + 1]?.file === rows[index]?.file
    const hasPreview = rows[index + 1]?.kind === 'preview'
    if (!isOpen || hasPreview) {
      // The rows of the file come with the next render.
      open(target.path)
      return
    }
    reached.current = target
    reveal(index, { align: rows[index]?.kind === 'file' ? 'start' : 'center' })
  }, [target, rows, reveal, open])
  // The row comes into the document only after the window has scrolled.
  useEffect(() => {
    if (target === undefined || reached.current !== target || focused.current === target) return
    const index = indexOf(rows, target)
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (row === null || row === undefined) return
    focused.current = target
    row.querySelector<HTMLElement>('[data-marks], button')?.focus({ preventScroll: true })
  })
}

/** The marks of the line, else the line, else the heading of the file. */
function indexOf(rows: readonly Row[], { path, line }: Target): number | undefined {
  const own = rows.flatMap((row, index) => (row.file.path === path ? [{ row, index }] : []))
  const marks = own.find(({ row }) => row.kind === 'marks' && row.place.line === line)
  const shown = own.find(({ row }) => afterOf(row) === line && line > 0)
  return (marks ?? shown ?? own[0])?.index
}

function afterOf(row: Row): number | undefined {
  if (row.kind === 'line') return row.line.after
  return row.kind === 'pair' ? row.right?.after : undefined
}

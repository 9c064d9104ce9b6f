// The lines of a change are one stop of the Tab key; the arrows lead from line to line.

import { type RefObject, useEffect, useState } from 'react'
import type { Row } from './lines/rows.ts'

/** Returns the row of the line that the Tab key reaches. `reveal` scrolls to a row. */
export function useLineKeys(
  rows: readonly Row[],
  box: RefObject<HTMLElement | null>,
  reveal: (index: number) => void,
): Row | undefined {
  const [index, setIndex] = useState(-1)
  useEffect(() => {
    const list = box.current
    const move = (event: KeyboardEvent) => {
      const next = nextLine(rows, event)
      if (next === undefined || list === null) return
      event.preventDefault()
      setIndex(next)
      reveal(next)
      // The row may come into the document only with the next frame.
      requestAnimationFrame(() =>
        [...list.querySelectorAll<HTMLElement>(`[data-index="${next}"] [data-line]`)]
          .at(-1)
          ?.focus({ preventScroll: true }),
      )
    }
    list?.addEventListener('keydown', move)
    return () => list?.removeEventListener('keydown', move)
  }, [rows, box, reveal])
  return rows[index]
}

function nextLine(rows: readonly Row[], { key, target }: KeyboardEvent): number | undefined {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !(target instanceof HTMLElement) || !target.matches('[data-line]')) return undefined
  let next = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index']) + step
  for (let row = rows[next]; row && !isLine(row); row = rows[next]) next += step
  return rows[next] && next
}

export function isLine(row: Row): boolean {
  return row.kind === 'line' || row.kind === 'pair'
}

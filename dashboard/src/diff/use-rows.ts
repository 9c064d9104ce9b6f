// The rows in sight. The window scrolls, because a change is part of its page; rows have the height of their text.

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Row } from './lines/rows.ts'

const heights: Partial<Record<Row['kind'], number>> = { file: 40, preview: 480, comments: 160, marks: 44, note: 44 }
/** A target of this height can be hit with a finger. */
const lineHeight = 24
/** The height of the bar that stays above the rows. */
const barHeight = 48

export function useRows(rows: readonly Row[], box: RefObject<HTMLElement | null>) {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (box.current) setMargin(Math.round(box.current.getBoundingClientRect().top + scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [box])
  return useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heights[rows[index]?.kind ?? 'line'] ?? lineHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingStart: barHeight,
    scrollPaddingEnd: lineHeight,
  })
}

// How a change is shown: unified or side by side, as this browser chose last. A narrow place shows one column.

import { type RefObject, useEffect, useState } from 'react'
import type { Layout } from './lines/rows.ts'

const key = 'docent-diff-layout'
/** Two columns of about 40 characters. */
const leastWidth = 720

export function useLayout(box: RefObject<HTMLElement | null>) {
  const [chosen, setChosen] = useState<Layout>(() => (localStorage.getItem(key) === 'split' ? 'split' : 'unified'))
  const [isWide, setIsWide] = useState(true)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setIsWide(element.clientWidth >= leastWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  const choose = (layout: Layout) => {
    localStorage.setItem(key, layout)
    setChosen(layout)
  }
  return { layout: isWide ? chosen : ('unified' as const), isWide, choose }
}

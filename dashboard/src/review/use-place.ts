// The place of a change that the address names (`?at=guides/install.md:12`), so that a place can be shared. The same link
// leads there again when it is clicked again.

import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Target } from '../diff/use-target.ts'
import { parseAt } from './at.ts'

export function usePlace(): { readonly target: Target | undefined; readonly again: (at: string) => void } {
  const { at } = useSearch({ strict: false })
  const [clicks, setClicks] = useState(0)
  // eslint-disable-next-line react-hooks/exhaustive-deps -- another object scrolls there again
  const target = useMemo(() => (at === undefined ? undefined : parseAt(at)), [at, clicks])
  const again = (clicked: string) => {
    if (clicked === at) setClicks((before) => before + 1)
  }
  return { target, again }
}

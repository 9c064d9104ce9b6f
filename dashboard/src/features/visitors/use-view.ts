// The view in the address bar, and how to change it. The same for people who are signed in and for shared links, whose
// token behind the # stays where it is.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Change, changeView, readView, type View } from './address.ts'

/** `replace`: for every letter of a search, one step back is enough. */
export type ChangeView = (change: Change, options?: { readonly replace?: boolean }) => void

export function useView(): readonly [View, ChangeView] {
  const view = readView(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change: ChangeView = (wanted, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => changeView(readView(before), wanted),
      hash: true,
      replace,
      resetScroll: false,
    })
  return [view, change]
}

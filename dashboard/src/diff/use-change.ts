// Keeps how the reader changed the view of a change: files folded, previews opened, comments begun.

import { useMemo, useState } from 'react'
import { toggled } from '../ui/toggled.ts'
import { type ChangedFile, type Layout, type Place, placeKey, toRows } from './lines/rows.ts'

const nothing: ReadonlySet<string> = new Set()

export function useChange(files: readonly ChangedFile[], layout: Layout, places: ReadonlySet<string> = nothing) {
  const [folded, setFolded] = useState(nothing)
  const [previewed, setPreviewed] = useState(nothing)
  const [writing, setWriting] = useState(nothing)
  const rows = useMemo(
    () => toRows(files, { layout, folded, previewed, comments: new Set([...places, ...writing]) }),
    [files, layout, folded, previewed, writing, places],
  )
  const areAllFolded = files.every(({ path }) => folded.has(path))
  return {
    rows,
    folded,
    previewed,
    areAllFolded,
    fold: (path: string) => setFolded((before) => toggled(before, path)),
    foldAll: () => setFolded(areAllFolded ? nothing : new Set(files.map(({ path }) => path))),
    showPreview: (path: string) => setPreviewed((before) => toggled(before, path)),
    write: (place: Place) => setWriting((before) => new Set(before).add(placeKey(place))),
    /** Undefined: no comment is being written there. */
    closerOf: (place: Place) => {
      const key = placeKey(place)
      return writing.has(key) ? () => setWriting((before) => toggled(before, key)) : undefined
    },
  }
}

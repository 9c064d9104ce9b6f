// Keeps how the reader changed the view of a change: files folded, previews opened, comments begun.

import { useMemo, useState } from 'react'
import { toggled } from '../ui/toggled.ts'
import { type ChangedFile, type Layout, type Place, placeKey, toRows, type View } from './lines/rows.ts'

const nothing: ReadonlySet<string> = new Set()

type Notes = { readonly comments?: ReadonlySet<string> | undefined; readonly marks: View['marks'] }

export function useChange(files: readonly ChangedFile[], layout: Layout, { comments = nothing, marks }: Notes) {
  const [folded, setFolded] = useState(nothing)
  const [previewed, setPreviewed] = useState(nothing)
  const [writing, setWriting] = useState(nothing)
  const rows = useMemo(
    () => toRows(files, { layout, folded, previewed, comments: new Set([...comments, ...writing]), marks }),
    [files, layout, folded, previewed, writing, comments, marks],
  )
  const areAllFolded = files.every(({ path }) => folded.has(path))
  return {
    rows,
    folded,
    previewed,
    areAllFolded,
    fold: (path: string) => setFolded((before) => toggled(before, path)),
    foldAll: () => setFolded(areAllFolded ? nothing : new Set(files.map(({ path }) => path))),
    /** Shows the lines of a file. */
    open: (path: string) => {
      setFolded((before) => without(before, path))
      setPreviewed((before) => without(before, path))
    },
    showPreview: (path: string) => setPreviewed((before) => toggled(before, path)),
    write: (place: Place) => setWriting((before) => new Set(before).add(placeKey(place))),
    /** Undefined: no comment is being written there. */
    closerOf: (place: Place) => {
      const key = placeKey(place)
      return writing.has(key) ? () => setWriting((before) => toggled(before, key)) : undefined
    },
  }
}

function without(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return before.has(path) ? toggled(before, path) : before
}

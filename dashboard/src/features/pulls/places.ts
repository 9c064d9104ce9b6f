// Which comments belong to a line that the change still shows, and which to a line that has changed since. Pure.

import type { PullComment } from '../../api/pulls.ts'
import { type ChangedFile, hunksOf, placeKey } from '../../diff/lines/rows.ts'

export type Placed = {
  readonly byPlace: ReadonlyMap<string, readonly PullComment[]>
  readonly earlier: readonly PullComment[]
}

export function placeComments(files: readonly ChangedFile[], comments: readonly PullComment[]): Placed {
  const byPath = new Map(files.flatMap((file) => [...namesOf(file)].map((path) => [path, file] as const)))
  const isShown = (comment: PullComment) => {
    const file = byPath.get(comment.path)
    const lines = file === undefined ? [] : hunksOf(file).flatMap((hunk) => hunk.lines)
    const line = lines.find(({ before, after, kind }) =>
      comment.at === 'head' ? after === comment.line : before === comment.line && kind === 'removed',
    )
    return line?.text.startsWith(comment.quote.replace(/…$/, '')) === true
  }
  const byPlace = new Map<string, PullComment[]>()
  const earlier: PullComment[] = []
  for (const comment of comments) {
    if (!isShown(comment)) earlier.push(comment)
    else byPlace.set(placeKey(comment), [...(byPlace.get(placeKey(comment)) ?? []), comment])
  }
  return { byPlace, earlier }
}

function namesOf({ path, previousPath }: ChangedFile): ReadonlySet<string> {
  return new Set(previousPath === null ? [path] : [path, previousPath])
}

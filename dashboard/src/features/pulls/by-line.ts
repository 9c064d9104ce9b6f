// Groups comments by the line that they belong to, and finds those whose line the change no longer shows. Pure.

import type { PullComment } from '../../api/pulls.ts'
import { type ChangedFile, hunksOf, placeKey } from '../../diff/lines/rows.ts'

export type CommentsByLine = {
  /** Comments on lines that the change shows, by the `placeKey` of the line. */
  readonly shown: ReadonlyMap<string, readonly PullComment[]>
  /** Comments on lines that have changed since. */
  readonly earlier: readonly PullComment[]
}

export function groupByLine(files: readonly ChangedFile[], comments: readonly PullComment[]): CommentsByLine {
  const byPath = new Map(files.flatMap((file) => [...namesOf(file)].map((path) => [path, file] as const)))
  const isShown = (comment: PullComment) => {
    const file = byPath.get(comment.path)
    const lines = file === undefined ? [] : hunksOf(file).flatMap((hunk) => hunk.lines)
    const line = lines.find(({ before, after, kind }) =>
      comment.at === 'head' ? after === comment.line : before === comment.line && kind === 'removed',
    )
    return line?.text.startsWith(comment.quote.replace(/…$/, '')) === true
  }
  const shown = new Map<string, PullComment[]>()
  const earlier: PullComment[] = []
  for (const comment of comments) {
    if (!isShown(comment)) earlier.push(comment)
    else shown.set(placeKey(comment), [...(shown.get(placeKey(comment)) ?? []), comment])
  }
  return { shown, earlier }
}

function namesOf({ path, previousPath }: ChangedFile): ReadonlySet<string> {
  return new Set(previousPath === null ? [path] : [path, previousPath])
}

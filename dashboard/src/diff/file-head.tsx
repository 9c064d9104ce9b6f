// The heading of a file in a change: its name, how it changed, and what can be done with it.

import { hasPreview } from './file-type.ts'
import type { ChangedFile } from './lines/rows.ts'
import { visible } from './lines/segments.ts'

export type FileActions = {
  readonly onFold: (path: string) => void
  /** Undefined: there are no previews here. */
  readonly onPreview: ((path: string) => void) | undefined
}

type Props = FileActions & {
  readonly file: ChangedFile
  readonly isFolded: boolean
  readonly isPreviewed: boolean
  /** The copy that stays in sight while its file is scrolled: the keyboard and screen readers use the other one. */
  readonly isCopy?: boolean
}

const states = { added: 'added', deleted: 'deleted', renamed: 'renamed', modified: '' } as const

export function FileHead({ file, isFolded, isPreviewed, isCopy = false, onFold, onPreview }: Props) {
  const { path, previousPath, status } = file
  const tabIndex = isCopy ? -1 : undefined
  return (
    <div className="flex h-10 items-center gap-2 border-y border-line bg-sunken pr-2">
      <button
        type="button"
        tabIndex={tabIndex}
        aria-expanded={!isFolded}
        onClick={() => onFold(path)}
        className="flex h-full min-w-0 flex-1 cursor-pointer items-center gap-2 pl-3 text-left font-mono text-[0.8125rem] focus-visible:-outline-offset-2"
      >
        <span aria-hidden className="w-3 shrink-0 text-muted">
          {isFolded ? '▸' : '▾'}
        </span>
        {/* The end of a path says more than its start. */}
        <bdi dir="ltr" className="truncate" title={visible(path)}>
          {previousPath !== null && previousPath !== path && (
            <span className="text-muted">{visible(previousPath)} → </span>
          )}
          {visible(path)}
        </bdi>
        {states[status] !== '' && <span className="shrink-0 font-sans text-sm text-muted">{states[status]}</span>}
        <span className="ml-auto shrink-0 pl-2 font-sans text-sm tabular-nums">
          {file.additions > 0 && <span className="text-good">+{file.additions}</span>}{' '}
          {file.deletions > 0 && <span className="text-bad">−{file.deletions}</span>}
        </span>
      </button>
      {onPreview && hasPreview(path) && (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-pressed={isPreviewed}
          onClick={() => onPreview(path)}
          className="h-7 shrink-0 cursor-pointer rounded-md border border-line bg-raised px-2.5 font-sans text-sm font-medium aria-pressed:border-accent aria-pressed:text-accent"
        >
          Preview
        </button>
      )}
    </div>
  )
}

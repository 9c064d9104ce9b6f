// One line of a change: its number, whether it was added or removed, its words in colour, and a way to comment on it.

import type { Line } from './patch.ts'
import type { Place } from './lines/rows.ts'
import { toSegments, type Token } from './lines/segments.ts'
import type { Range } from './lines/words.ts'

export type LineProps = {
  readonly line: Line
  readonly tokens: readonly Token[] | undefined
  readonly changed: readonly Range[] | undefined
}

export const looks = {
  added: { ground: 'bg-added', mark: '+' },
  removed: { ground: 'bg-removed', mark: '−' },
  same: { ground: '', mark: '' },
} as const

export function LineText({ line, tokens, changed }: LineProps) {
  const segments = toSegments(line.text, tokens, changed)
  return (
    <span className="min-w-0 pr-3 wrap-anywhere whitespace-pre-wrap">
      {segments.map(({ start, text, kind, isChanged }) => {
        if (kind === '' && !isChanged) return text
        const classes = [kind === '' ? '' : `tok-${kind}`, isChanged ? `word-${line.kind}` : ''].join(' ').trim()
        return (
          <span key={start} className={classes}>
            {text}
          </span>
        )
      })}
      {line.isCut && <span className="ml-2 text-muted select-none">No newline at the end of the file</span>}
    </span>
  )
}

type NumberProps = {
  readonly number: number | undefined
  readonly place: Place | undefined
  readonly isCurrent: boolean
  readonly onComment: ((place: Place) => void) | undefined
}

/** The number of a line. Where comments are possible it is a button. */
export function LineNumber({ number, place, isCurrent, onComment }: NumberProps) {
  const style = 'flex items-start justify-end pr-2 text-muted tabular-nums select-none'
  if (onComment === undefined || place === undefined || number === undefined)
    return <span className={style}>{number}</span>
  return (
    <button
      type="button"
      data-line
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`Comment on line ${number}${place.at === 'base' ? ' before the change' : ''}`}
      onClick={() => onComment(place)}
      className={`${style} group/number relative cursor-pointer hover:text-text focus-visible:-outline-offset-2`}
    >
      {number}
      <span
        aria-hidden
        className="absolute top-0 right-0 hidden size-5 items-center justify-center rounded bg-accent text-on-accent group-hover/number:flex"
      >
        +
      </span>
    </button>
  )
}

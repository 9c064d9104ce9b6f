// Marks on lines of a change: what the service, not a person, says about a line. Each is below its line, or below the
// heading of its file when the change does not show the line.

import { Badge, type Tone } from '../ui/badge.tsx'
import { type Place, placeKey } from './lines/rows.ts'

export type Mark = {
  /** A line after the change; 0 for the file. */
  readonly place: Place
  readonly tone: Tone
  readonly label: string
  readonly text: string
}

/** By `placeKey`. */
export type Marks = ReadonlyMap<string, readonly Mark[]>

export const noMarks: Marks = new Map()

export function linesOf(marks: Marks): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>()
  for (const { place } of [...marks.values()].flat())
    lines.set(place.path, (lines.get(place.path) ?? new Set()).add(place.line))
  return lines
}

type Props = { readonly place: Place; readonly isAside: boolean; readonly marks: Marks }

/** A screen has room for few; the list above the change has all. */
const mostShown = 20

export function MarksOfLine({ place, isAside, marks }: Props) {
  const own = marks.get(placeKey(place)) ?? []
  const more = own.length - mostShown
  return (
    <div
      data-marks
      tabIndex={-1}
      role="note"
      aria-label={place.line === 0 ? 'About this file' : `About line ${place.line}`}
      className="flex flex-col gap-1 border-y border-line bg-raised px-4 py-2 font-sans text-sm focus:bg-accent-soft focus-visible:-outline-offset-2"
    >
      {own.slice(0, mostShown).map(({ tone, label, text }, index) => (
        // eslint-disable-next-line no-array-index-key -- a line may have the same problem twice
        <p key={`${index} ${text}`} className="flex items-baseline gap-2">
          <Badge tone={tone}>{label}</Badge>
          <span className="min-w-0 wrap-anywhere">
            {isAside && place.line > 0 && <span className="text-muted">Line {place.line}: </span>}
            {text}
          </span>
        </p>
      ))}
      {more > 0 && <p className="text-muted">and {more} more</p>}
    </div>
  )
}

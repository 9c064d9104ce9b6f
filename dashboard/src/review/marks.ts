// The marks that a review puts on the lines of a change: new problems, warnings, and links to new sites. Pure.

import type { Finding, JobChecks } from '../api/job/checks.ts'
import type { Mark, Marks } from '../diff/marks.tsx'
import { placeKey } from '../diff/lines/rows.ts'
import { plain } from './words.ts'

export const severities = {
  breaking: { tone: 'bad', label: 'Breaking' },
  wrong: { tone: 'warn', label: 'Wrong' },
} as const satisfies Readonly<Record<Finding['severity'], Pick<Mark, 'tone' | 'label'>>>

export function marksOf({ findings, warnings, hosts, ungrounded }: JobChecks): Marks {
  const marks: Mark[] = [
    ...warnings.map(({ path, line, message }) => toMark(path, line, { tone: 'warn', label: 'Draft', text: message })),
    ...findings
      .filter(({ state }) => state === 'introduced')
      .map(({ path, line, message, severity }) => toMark(path, line, { ...severities[severity], text: message })),
    ...ungrounded.map(({ path, line, term }) =>
      toMark(path, line, { tone: 'neutral', label: 'Not found in the sources', text: term }),
    ),
    ...hosts.map(({ path, line, host }) => toMark(path, line, { tone: 'neutral', label: 'New site', text: host })),
  ]
  return Map.groupBy(marks, ({ place }) => placeKey(place))
}

function toMark(path: string, line: number | null, { text, ...look }: Omit<Mark, 'place'>): Mark {
  return { ...look, text: plain(text), place: { path, at: 'head', line: line ?? 0 } }
}

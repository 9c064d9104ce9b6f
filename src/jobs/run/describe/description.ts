// Composes the title and text of a commit and of a pull request, from the finishes of the runs. Pure.

import type { Finish } from '../../../agent/tool.ts'
import { plainText } from '../../../lib/plain-text.ts'

export function titleOf(finish: Finish): string {
  return finish.kind === 'change' ? plainText(finish.title) : 'Update the documentation'
}

export function summaryOf(finish: Finish): string {
  return plainText(finish.kind === 'change' ? finish.summary : finish.reason)
}

/** The first run gives the title; every run with a change gives a part of the body. */
export function describeRuns(finishes: readonly Finish[]): { readonly title: string; readonly body: string } {
  const changes = finishes.filter((finish) => finish.kind === 'change')
  const [first, ...followUps] = changes.length > 0 ? changes : finishes
  if (!first) return { title: 'Update the documentation', body: '' }
  const parts = followUps.map((finish) => `${titleOf(finish)}\n\n${summaryOf(finish)}`)
  return { title: titleOf(first), body: [summaryOf(first), ...parts].join('\n\n---\n\n') }
}

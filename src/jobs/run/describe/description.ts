// Composes the title and text of a commit and of a pull request, from the finishes of the runs. Pure.

import { type Finish, textOf } from '../../../agent/tool.ts'
import { plainText } from '../../../lib/plain-text.ts'

export function titleOf(finish: Finish): string {
  return finish.kind === 'change' ? plainText(finish.title) : 'Update the documentation'
}

/** Also the text of a commit message. */
export function summaryOf(finish: Finish): string {
  return plainText(textOf(finish))
}

/** The first run gives the title; every run with a change gives a part of the body. */
export function describeRuns(finishes: readonly Finish[]): { readonly title: string; readonly body: string } {
  const changes = finishes.filter((finish) => finish.kind === 'change')
  const [first, ...followUps] = changes.length > 0 ? changes : finishes
  if (!first) return { title: 'Update the documentation', body: '' }
  const parts = followUps.map((finish) => `${titleOf(finish)}\n\n${summaryOf(finish)}`)
  return { title: titleOf(first), body: withoutCommands([summaryOf(first), ...parts].join('\n\n---\n\n')) }
}

/** GitLab would run a line such as `/merge` with the rights of the service. Markdown shows the two characters as `/`. */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([ \t]*)\/(?=[a-z_]+(?:\s|$))/gim, String.raw`$1\/`)
}

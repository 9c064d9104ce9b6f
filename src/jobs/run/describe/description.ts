// Composes the title and text of a commit and of a pull request, from what the agent said at the end of runs. Pure.

import { type Finish, partOf, textOf } from '../../../agent/tool.ts'
import { plainText } from '../../../lib/plain-text.ts'

export function titleOf(finish: Finish): string {
  return finish.kind === 'change' ? plainText(finish.title) : 'Update the documentation'
}

/** Also the text of a commit message. */
export function summaryOf(finish: Finish): string {
  return plainText(textOf(finish))
}

export type Description = { readonly title: string; readonly body: string }

/**
 * The last run that described a change describes the whole branch. The service knows only a part of one that ended at its
 * budget, so the description before it follows.
 */
export function describeBranch(finishes: readonly Finish[]): Description {
  const said = finishes.filter(({ kind }) => kind !== 'question')
  const last = said.findLast(({ kind }) => kind === 'change') ?? said.at(-1)
  if (!last) return { title: 'Update the documentation', body: '' }
  const whole = (finish: Finish) => finish.kind === 'change' && partOf(finish) === undefined
  const before = partOf(last) === undefined ? undefined : said.findLast(whole)
  const earlier = before ? [`Before this part: ${titleOf(before)}\n\n${summaryOf(before)}`] : []
  return { title: titleOf(last), body: withoutCommands([summaryOf(last), ...earlier].join('\n\n---\n\n')) }
}

/** GitLab would run a line such as `/merge` with the rights of the service. Markdown shows the two characters as `/`. */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([ \t]*)\/(?=[a-z_]+(?:\s|$))/gim, String.raw`$1\/`)
}

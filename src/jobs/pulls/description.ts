// Composes the title and text of a commit and of a pull request, from what the agent said at the end of runs. Pure.

import { type Finish, partOf, textOf } from '../../agent/tool.ts'
import type { ForgeKind } from '../../forge/host.ts'
import { weakenMarkdown } from '../../forge/powers/markdown.ts'
import { weakenMessage, weakenTitle } from '../../forge/powers/plain.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { ReadSyntax } from '../policy/content/read/threads.ts'

const fallback = 'Update the documentation'

export function titleOf(finish: Finish): string {
  return finish.kind === 'change' ? plainText(finish.title) : fallback
}

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
  if (!last) return { title: fallback, body: '' }
  const whole = (finish: Finish) => finish.kind === 'change' && partOf(finish) === undefined
  const before = partOf(last) === undefined ? undefined : said.findLast(whole)
  const earlier = before ? [`Before this part: ${titleOf(before)}\n\n${summaryOf(before)}`] : []
  return { title: weakTitleOf(last), body: [summaryOf(last), ...earlier].join('\n\n---\n\n') }
}

/** The first line of a commit, and the title of a pull request: notifies nobody, and refers to nothing. */
export function weakTitleOf(finish: Finish): string {
  return weakenTitle(titleOf(finish)) || fallback
}

/** The first line of a commit without its prefix, and the text below it without its trailers. */
export function commitPartsOf(finish: Finish | undefined): { readonly title: string; readonly text: string } {
  if (finish === undefined) return { title: fallback, text: '' }
  return { title: weakTitleOf(finish), text: weakenMessage(summaryOf(finish)) }
}

/** The body as a forge may show it. Docent's own pull requests show it as it is. */
export async function bodyOn(forge: ForgeKind, body: string, read: ReadSyntax): Promise<string> {
  // No forge reads frontmatter, which only the beginning of a page can be.
  const { code } = await read({ path: 'body.md', text: `\n${body}`, kind: 'markdown', templates: [], dialects: [] })
  return weakenMarkdown(
    body,
    forge,
    code.map(({ start, end }) => ({ start: start - 1, end: end - 1 })),
  )
}

// The facts that come before the words of the model in a pull request: what a reviewer would otherwise find at its end. The
// facts at the end say more about each. They begin with the same words, which no model can write (`imitation.ts`). Pure.

import type { PageLoss } from '../../../docs-syntax/page.ts'
import type { ChangedFile } from '../../../git/types.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import type { NewHost, ReviewNote } from '../../review/review.ts'
import { findOutside } from './changed-files.ts'
import { amount, count } from './lists.ts'

export type Lead = {
  readonly hosts: readonly NewHost[]
  readonly losses: readonly PageLoss[]
  readonly refused: readonly ReviewNote[]
  readonly files: readonly ChangedFile[]
  /** All files of the repository after the change. */
  readonly paths: readonly string[]
}

const mostNamed = 5

/** Returns Markdown, one paragraph for each fact; empty if there is nothing to say first. */
export function describeLead({ hosts, losses, refused, files, paths }: Lead): string {
  const outside = findOutside(files, paths)
  const attempts = new Set(refused.map(({ path, message }) => JSON.stringify([path, message])))
  const parts = [
    hosts.length === 0 ? '' : `**New outside hosts:** ${listed(hosts.map(({ host }) => host))}`,
    losses.length === 0
      ? ''
      : `**Lost from the documentation:** parts of ${amount(losses.length, 'page')}: ${listed(losses.map(({ path }) => path))}`,
    outside.length === 0 ? '' : `**Files outside the documentation:** ${count(outside.length)}`,
    attempts.size === 0 ? '' : `**Edits that the policy refused:** ${count(attempts.size)}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function listed(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  const more = distinct.length - mostNamed
  const shown = distinct.slice(0, mostNamed).map((name) => inlineCode(name, 100))
  return `${shown.join(', ')}${more > 0 ? `, and ${count(more)} more` : ''}`
}

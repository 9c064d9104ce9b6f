// Formats what a check found, for the error of a job and for the first lines of a pull request. Paths and targets come from
// the repository and the model, so they are shown as plain text or as code.

import { Failure } from '../../lib/failure.ts'
import { inlineCode, plainText, shorten } from '../../lib/plain-text.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { Review, ReviewedFinding, ReviewNote } from './review.ts'

const mostInError = 10
const mostInPull = 20

/** Creates the failure `checks_failed`, with a detail for each problem. */
export function checksFailure(
  problems: readonly ReviewedFinding[],
  losses: readonly PageLoss[],
  projectId: string,
): Failure {
  const lost = losses.map(({ path }) => ({ path, words: `${plainText(path)} lost content` }))
  const found = [...problems.map((one) => ({ path: one.path, words: sayProblem(one) })), ...lost]
  const shown = found.slice(0, mostInError).map(({ words }) => shorten(words, 300))
  const more = found.length > mostInError ? `; and ${found.length - mostInError} more` : ''
  const setting = problems.length > 0 ? '--check-block never' : '--check-losses show'
  const todo = `Send a message to have this fixed, or publish such changes as drafts: docent project update ${projectId} ${setting}`
  const details = found.map(({ path, words }) => ({
    message: words,
    pointer: `#/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }))
  return new Failure('checks_failed', `Nothing was published: ${shown.join('; ')}${more}. ${todo}.`, { details })
}

/** `guides/a.md line 12 links to /setup, which does not exist` */
function sayProblem({ path, line, message }: ReviewedFinding): string {
  return plainText(`${path} line ${line} ${message}`).replaceAll(/\s+/g, ' ')
}

/** Returns the first lines of a pull request, in Markdown; undefined without a problem. */
export function sayNewProblems(problems: readonly ReviewedFinding[]): string | undefined {
  if (problems.length === 0) return undefined
  const amount = problems.length === 1 ? 'a new problem' : `${problems.length} new problems`
  const left = problems.length - mostInPull
  return [
    `**This change brings ${amount} into the documentation:**`,
    '',
    ...problems.slice(0, mostInPull).map((one) => `- ${inlineCode(sayProblem(one), 300)}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ].join('\n')
}

/** Returns the first lines of a pull request, in Markdown; undefined without such a place. */
export function sayReferences(references: readonly ReviewNote[]): string | undefined {
  if (references.length === 0) return undefined
  return [
    '**This change moves or deletes pages, and these places may still name them.** Docent cannot judge them: check them before you merge.',
    '',
    ...references.map(({ path, line, message }) => `- ${inlineCode(`${path} line ${line} ${message}`, 300)}`),
  ].join('\n')
}

/** Returns the first lines of a draft, in Markdown; undefined if everything was found. */
export function sayUngrounded({ grounding, ungrounded }: Pick<Review, 'grounding' | 'ungrounded'>): string | undefined {
  if (grounding === null || grounding.missing === 0) return undefined
  const left = grounding.missing - Math.min(ungrounded.length, mostInPull)
  return [
    '**This change has names or values that were not found in the sources.** Check them before you merge.',
    '',
    ...ungrounded
      .slice(0, mostInPull)
      .map(({ path, line, term }) => `- ${inlineCode(`${path} line ${line}: ${term}`, 300)}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ].join('\n')
}

/** The first line of a pull request that could not be checked. */
export const notChecked = '**The documentation of this change could not be checked.** Check it before you merge it.'

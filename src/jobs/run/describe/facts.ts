// The facts that the service adds to a pull request; no model wrote any of them: the messages, the changed files, the
// review and the cost. Everything from outside is shown as code, so it mentions nobody and closes no issue, except that
// references which people wrote in their messages are repeated. Pure.

import type { ChangedFile } from '../../../git/types.ts'
import { findReferences } from '../../../forge/powers/written.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import type { PageRead } from '../../pages-read.ts'
import type { JobOrigin } from '../../response.ts'
import type { Review } from '../../review/review.ts'
import type { CodePulls } from '../code/code-pulls.ts'
import { sayChanged } from './changed-files.ts'
import { sayCodePulls } from './code-facts.ts'
import type { ShownCitations } from '../grounding/citations.ts'
import { amount, count, titled } from './lists.ts'
import { type RunSource, showSource } from '../../sources/run-sources.ts'
import { sayPagesRead } from './pages-facts.ts'
import { sayReview } from './review-facts.ts'

export type Facts = {
  readonly jobId: string
  /** The address of the job; undefined when the service has no public address. */
  readonly jobLink: string | undefined
  /** Who created the job; null: not known. */
  readonly origin: JobOrigin | null
  /** The messages of the runs of this branch, in order. */
  readonly prompts: readonly string[]
  /** The titles that the runs of this branch gave to their changes, in order. */
  readonly titles: readonly string[]
  /** The pages outside of the repository that the runs of this branch requested, in order. */
  readonly pagesRead: readonly PageRead[]
  /** The agent's description of the change. */
  readonly summary: string
  readonly files: readonly ChangedFile[]
  /** All files of the repository after the change. */
  readonly paths: readonly string[]
  /** Null if the change was not checked. */
  readonly review: Review | null
  /** The sources that the last run read, and those that it had to do without. */
  readonly sources: readonly RunSource[]
  /** The places that the agent named as sources of its pages, where they hold. */
  readonly citations: ShownCitations
  /** The pull requests of the code that the runs of this branch follow, in order. */
  readonly code: readonly CodePulls[]
  readonly model: string
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; null when the price is not known. */
  readonly costUsd: number | null
}

/** The longest facts: every list has its room, and no text from outside can need more. */
export const mostFactCharacters = 26_400

const shownPrompts = 10
const shownRuns = 10

export function describeFacts(facts: Facts): string {
  const parts = [
    '---',
    'Docent states the following; no model wrote it.',
    startedBy(facts.origin),
    asked(facts.prompts),
    refers(facts.prompts),
    sayPagesRead(facts.pagesRead),
    runs(facts.titles),
    ...sayRead(facts.sources),
    ...sayCitations(facts.citations),
    ...sayCodePulls(facts.code),
    ...sayChanged(facts.files, facts.paths),
    claimed(facts.summary),
    ...sayReview(facts.review),
    made(facts),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** People know what they asked for themselves. */
function startedBy(origin: JobOrigin | null): string {
  return origin?.kind === 'automation' ? `**Automation:** ${inlineCode(origin.name, 100)}` : ''
}

function asked(prompts: readonly string[]): string {
  const [only] = prompts
  if (only !== undefined && prompts.length === 1) return `**Asked:** ${inlineCode(only)}`
  const isCut = prompts.length > shownPrompts
  const title = isCut ? `Asked, the last ${shownPrompts} of ${count(prompts.length)} messages` : 'Asked'
  const lines = prompts.slice(-shownPrompts).map((prompt) => inlineCode(prompt))
  return titled(title, lines, { lines: shownPrompts, characters: 2_400 })
}

/** The only text from outside that is not code: numbers and addresses of issues, as people wrote them. */
function refers(prompts: readonly string[]): string {
  const found = findReferences(prompts)
  return found.length === 0 ? '' : `**References in the messages:** ${found.join(', ')}`
}

/** The text of the agent describes them all together. */
function runs(titles: readonly string[]): string {
  if (titles.length < 2) return ''
  const isCut = titles.length > shownRuns
  const title = `Titles that the agent gave to ${isCut ? `the last ${shownRuns} of ` : ''}${count(titles.length)} runs`
  const lines = titles.slice(-shownRuns).map((one) => inlineCode(one, 120))
  const list = titled(title, lines, { lines: shownRuns, characters: 1_400 }).replace(/^.*\n\n/, '')
  return `<details><summary>${title}</summary>\n\n${list}\n\n</details>`
}

function sayRead(sources: readonly RunSource[]): readonly string[] {
  const read = sources.filter(({ commit }) => commit !== null).map((source) => inlineCode(showSource(source)))
  const missing = sources.filter(({ commit }) => commit === null)
  const lines = missing.map(({ name, missing: why = '' }) => `${inlineCode(name)}: ${inlineCode(why)}`)
  return [
    read.length === 0 ? '' : `**Sources:** ${read.join(', ')}`,
    titled('Sources that could not be read', lines, { lines: 20, characters: 500 }),
  ]
}

/** The model chose them; the service has verified that the lines exist. */
function sayCitations({ held, dropped }: ShownCitations): readonly string[] {
  const lines = held.map(({ page, place, link }) => {
    const shown = inlineCode(place, 200)
    return `${inlineCode(page, 200)}: ${link === null ? shown : `[${shown}](${link})`}`
  })
  return [
    titled('Sources that the agent named', lines, { lines: 20, characters: 2_000 }),
    dropped === 0 ? '' : `**Named sources that do not exist:** ${count(dropped)}`,
  ]
}

/** A build or a test of the code that the agent says it ran: it has no tool for that. */
const claim =
  /\b(?:I|we)\b[^.\n]{0,20}\b(?:ran|built|rebuilt|tested|linted|compiled|executed)\b|\b(?:ran|built|rebuilt)\s+(?:all\s+|the\s+)*(?:site|docs|documentation|tests?|suite|build|linters?)\b|\b(?:builds?|tests?|suite|lint(?:er|ing)?|CI|everything)\b[^.\n]{0,30}\b(?:pass(?:es|ed)?|succeed(?:s|ed)?|succeeds|is green|are green)\b/i

function claimed(summary: string): string {
  return claim.test(summary) ? 'Docent runs no builds or tests: only the checks below were made.' : ''
}

function made({ jobId, jobLink, model, turns, inputTokens, outputTokens, costUsd }: Facts): string {
  const job = jobLink === undefined ? inlineCode(jobId) : `[${jobId}](${jobLink})`
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`
  // The built-in model uses no tokens.
  const tokens = inputTokens + outputTokens === 0 ? '' : `, ${count(inputTokens)} + ${count(outputTokens)} tokens`
  return `Docent job ${job}: ${inlineCode(model, 100)}, ${amount(turns, 'turn')}${tokens}${cost}.`
}

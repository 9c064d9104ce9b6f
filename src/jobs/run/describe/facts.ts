// The facts that the service adds to a pull request: the messages, the changed pages, and the cost. Messages are shown as
// code, so they mention nobody and close no issue.

import { plainText, shorten } from '../../../lib/plain-text.ts'

export type Facts = {
  readonly jobId: string
  /** The address of the job; undefined when the service has no public address. */
  readonly jobLink: string | undefined
  /** The messages of the runs of this branch, in order. */
  readonly prompts: readonly string[]
  readonly paths: readonly string[]
  readonly model: string
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US dollars; null when the price is not known. */
  readonly costUsd: number | null
}

const shownPrompts = 10
const shownPaths = 20
const promptCharacters = 200
const pathCharacters = 200

export function describeFacts(facts: Facts): string {
  return ['---', asked(facts.prompts), changed(facts.paths), made(facts)].filter((part) => part !== '').join('\n\n')
}

function asked(prompts: readonly string[]): string {
  const [only] = prompts
  if (only === undefined) return ''
  if (prompts.length === 1) return `Asked: ${code(only, promptCharacters)}`
  const left = prompts.length - shownPrompts
  const shown = prompts.slice(-shownPrompts).map((prompt) => `- ${code(prompt, promptCharacters)}`)
  const title = left > 0 ? `Asked, the last ${shownPrompts} of ${prompts.length} messages:` : 'Asked:'
  return [title, '', ...shown].join('\n')
}

function changed(paths: readonly string[]): string {
  const count = paths.length === 1 ? '1 file changed' : `${paths.length} files changed`
  const left = paths.length - shownPaths
  const shown = paths.slice(0, shownPaths).map((path) => `- ${code(path, pathCharacters)}`)
  return [`${count}:`, '', ...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')
}

function made({ jobId, jobLink, model, turns, inputTokens, outputTokens, costUsd }: Facts): string {
  const job = jobLink === undefined ? code(jobId, 100) : `[${jobId}](${jobLink})`
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`
  const tokens = `${count(inputTokens)} + ${count(outputTokens)} tokens`
  return `Docent job ${job}: ${code(model, 100)}, ${turns === 1 ? '1 turn' : `${turns} turns`}, ${tokens}${cost}.`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** Formats any text as one line of code in Markdown. */
function code(text: string, characters: number): string {
  const line = shorten(plainText(text).replaceAll(/\s+/g, ' ').trim(), characters)
  return `\`${line.replaceAll('`', "'")}\``
}

// Prints problems and losses of a documentation, and what a change adds and is found nowhere, by file. Their texts come from repositories, so they are made plain.

import { ungroundedKind } from '../../checks/finding.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type Output, paint } from '../output.ts'

export type ShownProblem = {
  readonly path: string
  readonly line: number
  readonly severity: keyof typeof styles
  readonly message: string
  readonly kind: string
}

const styles = { breaking: 'red', wrong: 'yellow', unknown: 'cyan' } as const

type ShownTerm = { readonly path: string; readonly line: number; readonly term: string }

type ShownLoss = {
  readonly path: string
  readonly headings: readonly string[]
  readonly codeBlocks: readonly string[]
  readonly fields: readonly string[]
  readonly words: { readonly before: number; readonly after: number } | null
}

export function printProblems(output: Output, problems: readonly ShownProblem[]): void {
  for (const [path, found] of Map.groupBy(problems, (problem) => problem.path)) {
    output.print(paint(output, 'bold', plainText(path)))
    const width = Math.max(...found.map(({ line }) => String(line).length))
    for (const problem of found) output.print(toLine(output, problem, width))
    output.print('')
  }
}

function toLine(output: Output, { line, severity, message, kind }: ShownProblem, width: number): string {
  const shown = paint(output, styles[severity], severity.padEnd('breaking'.length))
  return `${String(line).padStart(width + 2)}  ${shown}  ${plainText(message)}  ${paint(output, 'gray', kind)}`
}

/** As problems are, but such a name may be right. */
export function printUngrounded(output: Output, ungrounded: readonly ShownTerm[]): void {
  const toShown = ({ path, line, term }: ShownTerm): ShownProblem => {
    return { path, line, severity: 'unknown', message: `${term} is not found in the sources`, kind: ungroundedKind }
  }
  printProblems(output, ungrounded.map(toShown))
}

export function printLosses(output: Output, losses: readonly ShownLoss[]): void {
  for (const { path, headings, codeBlocks, fields, words } of losses) {
    output.print(paint(output, 'bold', plainText(path)))
    const lost = [
      ...headings.map((text) => `the heading ${text}`),
      ...codeBlocks.map((text) => `the code block that begins with ${text}`),
      ...fields.map((name) => `the field ${name} of the frontmatter`),
      ...(words ? [`${words.before - words.after} of ${words.before.toLocaleString('en')} words`] : []),
    ]
    for (const text of lost) output.print(`  ${paint(output, 'yellow', 'lost')}  ${plainText(text)}`)
    output.print('')
  }
}

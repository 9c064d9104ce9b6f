// The part of the facts about the code that a change follows: its pull requests, and who wrote them. Names are code, so nobody
// is notified. Pure.

import { inlineCode } from '../../../lib/plain-text.ts'
import type { CodePull, CodePulls } from '../code/code-pulls.ts'
import { titled } from './lists.ts'

/** `runs`: of those that follow code, in order. Empty: no run does. */
export function sayCodePulls(runs: readonly CodePulls[]): readonly string[] {
  const pulls = new Map(runs.flatMap((run) => run.pulls.map((pull) => [pull.name, pull] as const)))
  const lines = [...pulls.values()].map(sayPull)
  const asked = new Set(runs.flatMap(({ ask }) => ask))
  const others = [...new Set(runs.flatMap((run) => run.others))].filter((login) => !asked.has(login))
  const problem = runs.at(-1)?.problem ?? null
  return [
    titled('Pull requests of the code', lines, { lines: 20, characters: 1_200 }),
    titled(
      'They wrote code, too, and were not asked for a review',
      others.map((login) => inlineCode(login, 100)),
      { lines: 10, characters: 300 },
    ),
    problem === null ? '' : `**Pull requests of the code that could not be read:** ${inlineCode(problem, 200)}`,
  ]
}

function sayPull({ name, link, author }: CodePull): string {
  const shown = inlineCode(name, 100)
  const linked = /^https?:\/\/[^\s()<>"]+$/.test(link) ? `[${shown}](${link})` : shown
  return author === null ? linked : `${linked} by ${inlineCode(author, 100)}`
}

// The script that fixes what the check finds, in the pages that the instruction names: old problems, and those that earlier
// changes of the branch brought. What it cannot decide is reported with its place.

import { describeLeftAlone } from '../left-alone/left-alone.ts'
import type { FixProblems } from '../instruction.ts'
import type { Problem } from '../../checks.ts'
import { type Fixed, type Repaired, repairProblems } from '../repair.ts'
import { findProblems, readSources, type Script, unchanged } from '../script.ts'
import { isStale } from '../stale-places.ts'
import { toGlobs } from '../scopes.ts'
import { amount } from '../words.ts'

const maxNamed = 20
/** A name that is gone has one finding on each page: that of its next place follows when the first is fixed. */
const mostRounds = 20

export function* fixProblems(instruction: FixProblems): Script {
  const { problems, noun, scopes } = instruction
  if (problems.length > 0 && problems.every(isStale) && (yield* readSources()).length === 0)
    return unchanged(`No ${noun} can be found: the project has no source that could be read.`)
  const found = yield* findAsked(instruction)
  if ('reason' in found) return unchanged(`Nothing was fixed: ${found.reason}`)
  const where = scopes.length === 0 ? '' : ` in ${scopes.join(', ')}`
  if (found.problems.length === 0) return unchanged(`The check finds no ${noun}s${where}.`)
  const { fixed, left, leftAlone, failed } = yield* repairAll(found.problems, instruction)
  const rest = [...sayLeft(left), ...describeLeftAlone('A problem', leftAlone), ...failed]
  if (fixed.length === 0) return unchanged(...rest)
  const places = fixed.reduce((sum, one) => sum + one.places, 0)
  return { changed: true, title: `Fix ${amount(places, noun)}${where}`, done: sayFixed(fixed), left: rest }
}

/** The last round says what is left. */
function* repairAll(problems: readonly Problem[], instruction: FixProblems): Script<Repaired> {
  let last = yield* repairProblems(problems, instruction)
  const fixed = [...last.fixed]
  for (let round = 1; round < mostRounds && last.fixed.some(({ problem }) => isStale(problem.kind)); round += 1) {
    const found = yield* findAsked(instruction)
    if ('reason' in found) break
    last = yield* repairProblems(found.problems, instruction)
    fixed.push(...last.fixed)
  }
  return { ...last, fixed }
}

function findAsked({ problems, scopes }: FixProblems) {
  return findWanted(scopes, (one) => problems.length === 0 || problems.includes(one.kind))
}

/** The problems of before this run and of this branch, each once. */
export function* findWanted(
  scopes: readonly string[],
  isWanted: (problem: Problem) => boolean,
): Script<{ readonly problems: readonly Problem[] } | { readonly reason: string }> {
  const inputs = toGlobs(scopes).flatMap((glob) => {
    const place = glob === undefined ? {} : { glob }
    return [{ ...place, old: true }, place]
  })
  const found = yield* findProblems('Checking the documentation.', inputs)
  if ('reason' in found) return found
  const wanted = found.problems.filter(isWanted).map((problem) => [JSON.stringify(problem), problem] as const)
  return { problems: [...new Map(wanted).values()] }
}

/** A sentence for each file: `Fixed 2 places in guides/a.md: /old → /new`. */
export function sayFixed(fixed: readonly Fixed[]): string[] {
  return [...Map.groupBy(fixed, ({ problem }) => problem.path)].map(([path, all]) => {
    const places = all.reduce((sum, one) => sum + one.places, 0)
    const changes = all.map(({ problem }) => `\`${problem.target}\` → \`${problem.suggestion ?? ''}\``)
    return `Fixed ${amount(places, 'place')} in ${path}: ${[...new Set(changes)].join(', ')}.`
  })
}

function sayLeft(left: readonly Problem[]): string[] {
  const named = left.slice(0, maxNamed).map(sayProblem)
  const more = left.length - named.length
  return more > 0 ? [...named, `${amount(more, 'more problem')} without a clear target.`] : named
}

export function sayProblem({ path, line, message, suggestion }: Problem): string {
  return `${path}:${line} ${message}${suggestion === null ? ', and no target is clear' : ''}.`
}

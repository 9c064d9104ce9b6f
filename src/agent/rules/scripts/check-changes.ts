// The script before every finish: checks the changes, repairs the problems that they brought where it is clear what was
// meant, and reports the others.

import { leftKinds } from '../left-alone/left-alone.ts'
import { repairProblems } from '../repair.ts'
import { findProblems, type Script, unchanged } from '../script.ts'
import { amount } from '../words.ts'
import { sayFixed, sayProblem } from './fix-problems.ts'

const maxNamed = 20
const everywhere = { scopes: [], including: leftKinds }

export function* checkChanges(): Script {
  const found = yield* findProblems('Checking the changes.', [{}])
  if ('reason' in found || found.problems.length === 0) return unchanged()
  const { fixed } = yield* repairProblems(found.problems, everywhere)
  const after = fixed.length === 0 ? found : yield* findProblems('Checking the changes again.', [{}])
  const rest = 'reason' in after ? found.problems : after.problems
  const named = rest.slice(0, maxNamed).map((problem) => `New with this change: ${sayProblem(problem)}`)
  const more =
    rest.length > named.length ? [`${amount(rest.length - named.length, 'more problem')} new with this change.`] : []
  return { changed: fixed.length > 0, done: sayFixed(fixed), left: [...named, ...more] }
}

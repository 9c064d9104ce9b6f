// The checks of a run in the form that the agent's tools and its finish use. A problem of a person is an old one for the
// agent.

import type { Checks, FoundProblems, Problem, WantedProblems } from '../../../agent/checks.ts'
import { compareFindings, type Finding } from '../../../checks/finding.ts'
import type { Suggester } from '../../../checks/suggest/suggest.ts'
import type { Edit } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import { type RunPart, setPhase } from '../context.ts'
import type { LeasedRun } from '../../queue/lease.ts'
import type { CheckedRun, RunChecks, WantedCheck } from '../../review/run-checks.ts'
import { waitForChecks } from './wait.ts'

type AgentChecks = {
  /** For the tool `check`. */
  readonly checks: Checks
  /** For a finish: the first new problems; undefined when the documentation cannot be checked. */
  readonly newProblems: () => Promise<FoundProblems | undefined>
}

const mostAtFinish = 100

/** `edits` returns the changes of the run so far. */
export function createAgentChecks(
  context: LeasedRun & RunPart<'modelId', 'log'>,
  checks: RunChecks,
  edits: () => readonly Edit[],
): AgentChecks {
  const check = (extent: WantedCheck['extent']) => waitForChecks(context, checks, { edits: edits(), extent })
  const find = (checked: CheckedRun, wanted: WantedProblems) => {
    const edited = new Set(edits().map(({ path }) => path))
    // A loss in a commit of a person is not the agent's.
    const losses = checked.losses.filter(({ path }) => wanted.isWanted(path) && edited.has(path))
    const { judged, notJudged } = checked.coverage
    return { ...findProblems(checked, wanted), losses, coverage: { judged, notJudged } }
  }
  return {
    checks: {
      find: async (wanted) => {
        const checked = await check('all')
        if (checked) return find(checked, wanted)
        throw new Failure('checks_failed', 'This documentation could not be checked. Finish without the tool check.')
      },
    },
    newProblems: async () => {
      await setPhase(context, 'checking')
      const checked = await check('change')
      const found = checked && find(checked, { which: 'new', isWanted: () => true, offset: 0, limit: mostAtFinish })
      if (found && (found.counts.new > 0 || found.losses.length > 0)) await setPhase(context, 'editing')
      return found
    },
  }
}

function findProblems(
  checked: CheckedRun,
  { which, isWanted, offset, limit }: WantedProblems,
): Omit<FoundProblems, 'losses' | 'coverage'> {
  const wanted = (findings: readonly Finding[]) =>
    findings.filter(({ path }) => isWanted(path)).toSorted(compareFindings)
  const found = { new: wanted(checked.introduced), old: wanted([...(checked.remaining ?? []), ...checked.byPerson]) }
  return {
    counts: { new: found.new.length, old: found.old.length },
    problems: found[which].slice(offset, offset + limit).map((finding) => toProblem(finding, checked.suggest)),
  }
}

function toProblem(finding: Finding, suggest: Suggester): Problem {
  const { path, line, kind, target, message } = finding
  return { path, line, kind, target, message, suggestion: finding.suggestion ?? suggest(finding) ?? null }
}

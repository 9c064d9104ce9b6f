// `docent job checks`: prints the problems that the change of a job has brought, as `docent check --since` does.

import type { ReviewResponse } from '../../http/resources/jobs/review-schemas.ts'
import { type ProjectOption, withProjectOfJob } from '../api/with-api.ts'
import { printLosses, printProblems, printUngrounded } from '../check/problems.ts'
import { printCoverage } from '../check/report.ts'
import { printBasis } from '../check/sources.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Output } from '../output.ts'

export type ChecksOptions = ProjectOption & { readonly json?: true; readonly sarif?: true }

/** Throws if there is a new problem. */
export async function showChecks(context: CommandContext, id: string, options: ChecksOptions): Promise<void> {
  const { json, sarif } = options
  if (json && sarif) throw usage('Use --json or --sarif, not both.')
  await withProjectOfJob(context, options, id, async (api, projectId) => {
    const path = `/v2/agent/${projectId}/job/${encodeURIComponent(id)}/checks`
    const { body } = await api.send('GET', path)
    const review = JSON.parse(body) as ReviewResponse
    if (sarif) context.output.print((await api.send('GET', `${path}.sarif`)).body)
    else if (json) context.output.print(body)
    else print(context.output, review)
    if (review.introduced === 0) return
    const amount = review.introduced === 1 ? '1 new problem' : `${review.introduced} new problems`
    throw new CommandFailure('checkFailed', 'checks_failed', `${amount}.`)
  })
}

function hintOf({ suggestion, byPerson }: ReviewResponse['findings'][number]): string {
  return `${suggestion === null ? '' : `; did you mean ${suggestion}?`}${byPerson ? ' (in a commit of a person)' : ''}`
}

function print(output: Output, review: ReviewResponse): void {
  const { findings, losses, ungrounded, grounding, introduced, fixed, remaining, ignored, coverage, drift } = review
  const brought = findings.filter(({ state }) => state === 'introduced')
  printProblems(
    output,
    brought.map((one) => ({ ...one, message: `${one.message}${hintOf(one)}` })),
  )
  printLosses(output, losses)
  printUngrounded(output, ungrounded)
  if (grounding && grounding.notJudged > 0) output.print(`Not looked up in the sources: ${grounding.notJudged}.`)
  const old = remaining === null ? 'the rest of the site is still being checked' : remaining
  output.print(`New: ${introduced}. Fixed: ${fixed}. In the base already: ${old}.`)
  if (ignored > 0) output.print(`Ignored: ${ignored}.`)
  printCoverage(output, coverage)
  if (drift) printDrift(output, drift)
}

function printDrift(output: Output, drift: NonNullable<ReviewResponse['drift']>): void {
  const present = drift.sources.flatMap(({ commit, since, ...source }) =>
    commit === null ? [] : [{ ...source, commit, since: since === null ? null : new Date(since) }],
  )
  const missing = drift.sources.flatMap(({ name, commit }) => (commit === null ? [name] : []))
  if (present.length > 0) printBasis(output, { ...drift, sources: present, missing })
  if (missing.length > 0)
    output.print(`Not compared with ${missing.map(plainText).join(', ')}, so nothing is known to be gone.`)
}

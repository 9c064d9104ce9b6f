// Says in a comment what a run added to a pull request that was open before: forges tell people about comments, and not about an edited
// text. Once for each run, also after a crash. Docent's own pull requests have no comments of the service.

import { say } from '../../../forge/comments/say.ts'
import { Failure } from '../../../lib/failure.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import { type Contribution, loadContributions } from '../../appends/contribution.ts'
import { bodyOn, summaryOf, weakTitleOf } from '../../pulls/description.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import type { Committed } from '../commit.ts'
import { addEvents, reach, type RunPart } from '../context.ts'
import type { Ended } from '../ends/record.ts'

type SayContext = LeasedRun & RunPart<'project', 'clock' | 'db' | 'hostOf' | 'reached' | 'readSyntax' | 'redactor'>

/** A forge that refuses the comment is no reason to fail a run that has published its change. */
export async function sayContribution(
  context: SayContext,
  { pull: before, commit }: Pick<Committed, 'pull' | 'commit'>,
  { finish, change }: Ended,
): Promise<void> {
  const isAdded = before !== undefined && commit !== null && finish.kind === 'change'
  if (!isAdded || change?.pull.forge !== before.forge || change.pull.number !== before.number) return
  const contributions = await loadContributions(context.db, context.run.id)
  if (contributions.length === 0) return
  try {
    await writeComment(context, before.number, await textOf(context, contributions, finish))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const message = `The comment on #${before.number} could not be written: ${error.message}`
    await writeAsRun(context, (trx, run) => addEvents(trx, run, { type: 'warning', message }))
  }
  await reach(context, 'contribution said')
}

async function textOf(
  { deps, project, run, signal }: SayContext,
  contributions: readonly Contribution[],
  finish: Extract<Ended['finish'], { readonly kind: 'change' }>,
): Promise<string> {
  const by = contributions.map((one) => inlineCode(one.by, 100)).join(', ')
  const about = `Added by a run of ${run.created_at.toISOString().slice(0, 10)}, started by ${by}:`
  const said = deps.redactor.redact(`**${weakTitleOf(finish)}**\n\n${summaryOf(finish)}`)
  const host = await deps.hostOf(project.id, signal)
  return `${about}\n\n${host ? await bodyOn(host.kind, said, deps.readSyntax) : said}`
}

async function writeComment({ deps, project, run, signal, ...leased }: SayContext, number: number, text: string) {
  const host = await deps.hostOf(project.id, signal)
  if (!host) return
  // Only a run that holds its claim may write.
  await writeAsRun({ run, signal, ...leased }, () => Promise.resolve())
  const on = { kind: 'pull', number } as const
  // The clock of the forge may be behind.
  const since = new Date(run.created_at.getTime() - 3_600_000).toISOString()
  await say({ host, clock: deps.clock }, { on, name: run.id, text, since, account: null }, signal)
}

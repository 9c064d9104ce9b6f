// Stores the changes that a run of an automation has published with the pull request that it shares. Lines of people are not among them: a
// change counts if the commits of the job's runs made all of its lines.

import type { FileDiff } from '../../../git/types.ts'
import { cut } from '../../events/events.ts'
import { normalised, parseBlocks, digestOf, type Block } from '../../appends/hunks.ts'
import { loadContributions } from '../../appends/contribution.ts'
import { type PublishedHunk, storeHunks } from '../../appends/published-hunks.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import type { RunPart } from '../context.ts'
import type { Ended } from '../ends/record.ts'

/** The characters of a side that are kept for the model. */
const mostCharacters = 1_000

export async function keepHunks(
  context: LeasedRun & RunPart<'repository', 'clock' | 'db'>,
  branch: string,
  { change }: Ended,
): Promise<void> {
  if ((await loadContributions(context.db, context.run.id)).length === 0) return
  const hunks = change ? await findOwn(context, branch, change) : []
  await writeAsRun(context, (trx, run) => storeHunks(trx, run.job_id, hunks, context.deps.clock.now()))
}

async function findOwn(
  context: LeasedRun & RunPart<'repository', never>,
  branch: string,
  { baseCommit, headCommit }: NonNullable<Ended['change']>,
): Promise<readonly PublishedHunk[]> {
  const own = await linesOfRuns(context, branch)
  const files = await context.repository.diffFiles(baseCommit, headCommit)
  return files.flatMap((file) =>
    blocksOf(file)
      .filter((block) => linesOf(block).every((line) => own.has(line)))
      .flatMap((block) => toHunk(file.path, block)),
  )
}

async function linesOfRuns(
  { db, run, repository }: LeasedRun & RunPart<'repository', never>,
  branch: string,
): Promise<ReadonlySet<string>> {
  const runs = await db
    .selectFrom('runs')
    .select('commit_id')
    .where('job_id', '=', run.job_id)
    .where('branch', '=', branch)
    .where('commit_id', 'is not', null)
    .execute()
  const lines = new Set<string>()
  for (const { commit_id: commit } of runs) {
    if (commit === null || !(await repository.has(commit))) continue
    const [parent] = (await repository.commitFacts(commit)).parents
    if (parent === undefined) continue
    for (const file of await repository.diffFiles(parent, commit)) {
      for (const line of blocksOf(file).flatMap(linesOf)) lines.add(line)
    }
  }
  return lines
}

function blocksOf({ patch }: Pick<FileDiff, 'patch'>): readonly Block[] {
  return parseBlocks(patch)
}

function linesOf({ removed, added }: Block): readonly string[] {
  return [...normalised(removed).map((line) => `-${line}`), ...normalised(added).map((line) => `+${line}`)]
}

function toHunk(path: string, block: Block): readonly PublishedHunk[] {
  const digest = digestOf(path, block)
  if (digest === undefined) return []
  return [{ digest, path, removed: textOf(block.removed), added: textOf(block.added) }]
}

function textOf(lines: readonly string[]): string {
  return cut(lines.join(''), mostCharacters)
}

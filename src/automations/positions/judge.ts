// Whether commits of the product concern the docs at all, before a model is asked: their terms are compared with the pages. What
// does not concern them is skipped with its score, and stays in the list of what is not documented.

import type { FactsReader } from '../../checks/facts/reader.ts'
import type { Git } from '../../git/types.ts'
import { openRanker, type ProductChange, type Ranker } from '../../jobs/affected-pages/rank.ts'
import { checkSettingsOf } from '../../jobs/run/review/open-checks.ts'
import type { AutomationCommitRow } from '../../postgres/schema/automations.ts'
import type { Db } from '../../postgres/types.ts'
import { readThreshold } from '../ledger/calibrate.ts'
import { openPlace, type Place } from './places.ts'

export type JudgeOptions = {
  readonly db: Db
  readonly git: Git
  readonly facts: Pick<FactsReader, 'keptIn' | 'hold'>
  readonly signal: AbortSignal
}

/** `score` null: it was not compared, and goes to the model. */
export type Judged = { readonly commit: string; readonly score: number | null; readonly concernsDocs: boolean }

type Waiting = Pick<AutomationCommitRow, 'commit' | 'parent' | 'is_wanted' | 'score' | 'generation'>

/**
 * A commit that somebody asked for concerns the docs, and so does the first commit of a repository: there is nothing to compare it with. One
 * that waits with a score concerned them before, and its run had no room or failed: neither the threshold of today nor the pages take it
 * back. Throws the errors of a fetch.
 */
export async function judgeCommits(
  { db, git, facts, signal }: JudgeOptions,
  place: Place,
  commits: readonly Waiting[],
): Promise<readonly Judged[]> {
  const project = await db.selectFrom('projects').selectAll().where('id', '=', place.projectId).executeTakeFirst()
  if (!project) return []
  const opened = openPlace(git, place)
  const { past } = opened
  // Another machine may have polled the branch.
  const newest = commits.at(-1)?.commit
  if (newest !== undefined && (await past.mainline({ to: newest, from: newest }, signal)) === undefined) {
    await opened.fetch(signal)
  }
  const repository = git.repository(project.id, project.repository, project.fork)
  const { value: threshold } = await readThreshold(db, place.projectId, place.source?.name ?? null)
  let ranker: Promise<Ranker> | undefined
  const judged: Judged[] = []
  for (const { commit, parent, is_wanted: isWanted, score: before } of commits) {
    if (isWanted || parent === null || before !== null) {
      judged.push({ commit, score: null, concernsDocs: true })
      continue
    }
    const isDocs = place.source === null
    const change: ProductChange = { past, from: parent, to: commit, isVisible: place.isVisible, isDocs }
    ranker ??= repository.fetch({ branch: project.branch, branches: [] }, signal).then(({ base }) => {
      const docs = { repository, commit: base.commit, sites: checkSettingsOf(project).sites, facts }
      return openRanker(docs, change, signal)
    })
    const { score } = await (await ranker)(change, signal)
    judged.push({ commit, score, concernsDocs: score >= threshold })
  }
  return judged
}

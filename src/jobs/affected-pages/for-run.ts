// Which pages a change concerns, for the tool of a run: at the commits that the run reads.

import type { FindAffected } from '../../agent/history.ts'
import { Failure } from '../../lib/failure.ts'
import type { RunPart } from '../run/context.ts'
import type { Prepared } from '../run/prepare.ts'
import { checkSettingsOf } from '../run/review/open-checks.ts'
import { findCommit } from '../sources/past.ts'
import { createIsVisible } from '../sources/visible.ts'
import { rankAffected } from './rank.ts'

export function createFindAffected(
  { deps, project, repository }: RunPart<'project' | 'repository', 'facts' | 'git'>,
  { base, sources }: Pick<Prepared, 'base' | 'sources'>,
): FindAffected {
  const open = (name: string | undefined) => {
    if (name === undefined) return { past: repository, at: base.commit, isVisible: () => true, isDocs: true }
    const source = sources.find((one) => one.name === name)
    if (!source?.commit) throw new Failure('path_refused', `The run has no source ${name}.`)
    const past = deps.git.source(source.id, source.repository)
    return { past, at: source.commit, isVisible: createIsVisible(source.paths), isDocs: false }
  }
  const docs = { repository, commit: base.commit, sites: checkSettingsOf(project).sites, facts: deps.facts }
  return async ({ from, to, source, limit }, signal) => {
    const place = open(source)
    const change = {
      ...place,
      from: await findCommit(place, from, signal),
      to: to === undefined ? place.at : await findCommit(place, to, signal),
    }
    const { concernsDocs, pages } = await rankAffected(docs, change, signal)
    return { concernsDocs, pages: pages.slice(0, limit) }
  }
}

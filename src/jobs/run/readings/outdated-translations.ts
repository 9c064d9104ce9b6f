// The translations that are behind their source pages at the start of a run, for a model that brings them up to date.

import { readingNotice } from '../../../agent/notices/notices.ts'
import { checkTree } from '../../../checks/check-tree.ts'
import { findOutdated } from '../../../checks/translations/outdated.ts'
import { countNotJudged, reasons } from '../../../sites/coverage.ts'
import type { Reading } from '../../options/readings.ts'
import { openEditedTree } from '../../review/edited-tree.ts'
import type { RunPart } from '../context.ts'
import type { Prepared } from '../prepare.ts'
import { checkSettingsOf } from '../review/open-checks.ts'

/** More do not fit into a run; the next one takes the others. */
const mostPages = 50
/** The history of a large repository may arrive later than this; the next run has it. */
const longestMs = 120_000

type Context = RunPart<'project' | 'repository' | 'signal', 'facts'>

export async function readOutdatedTranslations(
  { project, repository, deps, signal: stop }: Context,
  { start }: Pick<Prepared, 'start'>,
): Promise<Reading> {
  repository.bringHistory()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(longestMs)])
  const tree = openEditedTree(await repository.tree(start))
  const { outdated, coverage } = await deps.facts.keptIn(repository.factsFile, async (facts) => {
    const result = await checkTree(tree, { facts, sites: checkSettingsOf(project).sites, signal })
    return await findOutdated({ tree, result }, { docs: repository.pastOf(start), facts, signal })
  })
  const missing = countNotJudged(coverage)
  const why = coverage.notJudged
    .map(({ reason, count, example }) => `${count}: ${reasons[reason]} (${example})`)
    .join('; ')
  const unknown = missing === 0 ? '' : ` ${missing} could not be judged: ${why}.`
  if (outdated.length === 0) {
    const known =
      coverage.judged === 0
        ? 'The documentation has no translation that could be judged.'
        : `No translation of ${coverage.judged} is behind its source page.`
    return { nothing: `${known}${unknown}` }
  }
  const shown = outdated.slice(0, mostPages).map(({ path, source, since }) => ({
    translation: path,
    source,
    since: since.commit,
    date: since.date.toISOString().slice(0, 10),
  }))
  const rest = outdated.length > shown.length ? ` They are the first ${shown.length} of ${outdated.length}.` : ''
  const about = `Translations that are behind, as data: the text of the source page has changed since the commit that last changed the translation.${rest}${unknown}`
  return { notice: readingNotice(about, shown) }
}

// Lists the translations that are behind their source pages. They fail nothing: the site works, and somebody has to translate.

import type { CheckResult } from '../../checks/check-tree.ts'
import type { SiteFacts } from '../../checks/facts/reader.ts'
import { findOutdated, type Translations } from '../../checks/translations/outdated.ts'
import { pairTranslations } from '../../checks/translations/pairs.ts'
import { openClone } from '../../git/past/past.ts'
import type { WorkTree } from '../../git/read/work-tree.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { Output } from '../output.ts'

type Checked = { readonly tree: SiteTree; readonly result: CheckResult }
type Given = { readonly work: WorkTree | undefined; readonly facts: SiteFacts; readonly signal: AbortSignal }

/** Undefined: there are no translations. Throws only the reason of the signal. */
export async function findTranslations(checked: Checked, { work, ...given }: Given): Promise<Translations | undefined> {
  const { sources, open } = pairTranslations(checked.result.index)
  if (sources.size + open.length === 0) return undefined
  const docs = work && (await openClone(work.top).catch(() => undefined))
  try {
    return await findOutdated(checked, { ...given, docs, prefix: work?.prefix ?? '' })
  } finally {
    await docs?.close()
  }
}

export function printTranslations(output: Output, { outdated, coverage }: Translations): void {
  if (outdated.length === 0) return
  output.print(`${outdated.length} of ${coverage.judged} translations are behind their source pages:`)
  for (const { path, source, since } of outdated) {
    const when = `${since.commit.slice(0, 7)} of ${since.date.toISOString().slice(0, 10)}`
    output.print(`  ${plainText(path)}  ${plainText(source)} has changed since ${when}`)
  }
}

export function toJson({ outdated, coverage }: Translations) {
  return {
    judged: coverage.judged,
    outdated: outdated.map(({ path, source, since }) => {
      return { path, source, since: since.commit, date: since.date.toISOString() }
    }),
  }
}

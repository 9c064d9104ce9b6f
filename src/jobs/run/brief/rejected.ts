// The changes of an automation that people have rejected, for the first turn of its next run.

import type { ModelMessage } from '../../../agent/model/types.ts'
import { rejectedNotice } from '../../../agent/notices/notices.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { loadContributions } from '../../appends/contribution.ts'
import { loadRejected } from '../../appends/published-hunks.ts'
import type { RunPart } from '../context.ts'

const mostCharacters = 8_000

export async function rejectedNotices({
  deps,
  job,
  run,
}: RunPart<'job' | 'run', 'clock' | 'db' | 'redactor'>): Promise<readonly ModelMessage[]> {
  if ((await loadContributions(deps.db, run.id)).length === 0) return []
  const rejected = await loadRejected(deps.db, job, deps.clock.now())
  const changes = rejected.map(({ path, removed, added }) => ({ path, removed, added }))
  let left = mostCharacters
  const shown = changes.filter((change) => (left -= JSON.stringify(change).length) >= 0)
  if (changes.length === 0) return []
  return [rejectedNotice(mapStrings(shown, deps.redactor.hide), changes.length - shown.length)]
}

// Reads what the messages of a run ask for, and those of the runs that it continues, once, before its first turn: the model gets it
// as data. A run whose data are empty, and that is of no use without them, ends without a model.

import type { ModelMessage } from '../../../agent/model/types.ts'
import type { Finish } from '../../../agent/tool.ts'
import { mapStrings } from '../../../lib/outbound/map-strings.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import type { GivenPage, Reading, ReadingName } from '../../options/readings.ts'
import type { RunPart } from '../context.ts'
import { findContinued } from '../brief/continued.ts'
import { saveFinish, takeMessages } from '../turns.ts'
import type { Prepared } from '../prepare.ts'
import { readOutdatedTranslations } from './outdated-translations.ts'
import { readBrokenPages, readReadPages } from './page-views.ts'

type Context = LeasedRun &
  RunPart<'run' | 'project' | 'repository' | 'signal', 'clock' | 'db' | 'facts' | 'pageViews' | 'redactor'>

/** `endsWithout`: there is nothing to do without the data. */
type Reader = {
  readonly endsWithout: boolean
  readonly read: (context: Context, prepared: Prepared) => Promise<Reading>
}

const readers: Readonly<Record<ReadingName, Reader>> = {
  broken_pages: { endsWithout: true, read: async (context) => await readBrokenPages(toAsked(context)) },
  outdated_translations: { endsWithout: true, read: readOutdatedTranslations },
  read_pages: { endsWithout: false, read: async (context) => await readReadPages(toAsked(context)) },
}

function toAsked({ project, deps, signal }: Context) {
  return { projectId: project.id, now: deps.clock.now(), pageViews: deps.pageViews, signal }
}

export type Readings = {
  readonly notices: readonly ModelMessage[]
  /** The end of a run that has nothing to do. */
  readonly finish: Finish | undefined
}

export const noReadings: Readings = { notices: [], finish: undefined }

export async function readForRun(context: Context, prepared: Prepared): Promise<Readings> {
  const { deps, run } = context
  const runs = await findContinued(context)
  const rows = await deps.db
    .selectFrom('messages')
    .select('reads')
    .where('job_id', '=', run.job_id)
    .where((one) =>
      one.or([one.and([one('run_id', 'is', null), one('contribution', 'is', null)]), one('run_id', 'in', runs)]),
    )
    .execute()
  const asked = rows.map(({ reads }) => (reads === null ? [] : (JSON.parse(reads) as readonly ReadingName[])))
  const notices: ModelMessage[] = []
  const reasons: string[] = []
  for (const name of new Set(asked.flat())) {
    const reader = readers[name]
    const found = await reader.read(context, prepared)
    if ('notice' in found) {
      notices.push(mapStrings(found.notice, deps.redactor.hide))
      if (found.given) await saveGiven(context, mapStrings(found.given, deps.redactor.hide))
    } else if (reader.endsWithout) reasons.push(found.nothing)
  }
  // A message that asks for no such data is work.
  const isNothing = notices.length === 0 && asked.every((names) => names.some((name) => readers[name].endsWithout))
  const finish = isNothing && reasons.length > 0 ? await endWithoutModel(context, reasons.join(' ')) : undefined
  return { notices, finish }
}

/** So that people can see later whether readers still fail on them. */
async function saveGiven(context: LeasedRun, given: readonly GivenPage[]): Promise<void> {
  await writeAsRun(context, async (trx, run) => {
    await trx
      .updateTable('runs')
      .set({ given_pages: JSON.stringify(given) })
      .where('id', '=', run.id)
      .execute()
  })
}

/** Ends the run without a turn. Returns undefined if a message has arrived meanwhile. */
async function endWithoutModel(context: LeasedRun, reason: string): Promise<Finish | undefined> {
  const finish: Finish = { kind: 'no_change', reason }
  return await writeAsRun(context, async (trx, run) => {
    const waiting = trx.selectFrom('messages').select('reads').where('job_id', '=', run.job_id)
    const rows = await waiting.where('run_id', 'is', null).where('contribution', 'is', null).execute()
    if (rows.some(({ reads }) => reads === null)) return undefined
    await takeMessages(trx, run)
    await saveFinish(trx, run, finish)
    return finish
  })
}

// The addresses that people wrote in the messages of a job. A comment on a line of a change reaches the model with a quote of
// that line, which is no word of a person: only the texts of the comments count.

import { withoutPlaces } from '../../../agent/comment.ts'
import { findAddresses } from '../../../lib/outbound/pages/page-address.ts'
import type { Db } from '../../../postgres/types.ts'

/** Those of the messages that runs have taken, in order. */
export async function loadWrittenAddresses(db: Db, jobId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('messages')
    .select('prompt')
    .where('job_id', '=', jobId)
    .where('run_id', 'is not', null)
    .orderBy('ordinal')
    .execute()
  const texts = rows.map(({ prompt }) => withoutPlaces(JSON.parse(prompt) as string))
  return [...new Set(texts.flatMap(findAddresses))]
}

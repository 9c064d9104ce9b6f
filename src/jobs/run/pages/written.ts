// The addresses that people wrote in the messages of a job. A comment on a line of a change reaches the model with a quote of
// that line, which is no word of a person: only the text of the comment counts.

import { findAddresses } from '../../../lib/outbound/pages/page-address.ts'
import type { Db } from '../../../postgres/types.ts'

/** Those of the messages that runs have taken, in order. */
export async function loadWrittenAddresses(db: Db, jobId: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('pull_comments', 'pull_comments.message_id', 'messages.id')
    .select(['messages.prompt', 'pull_comments.text as comment'])
    .where('messages.job_id', '=', jobId)
    .where('messages.run_id', 'is not', null)
    .orderBy('messages.ordinal')
    .execute()
  const texts = rows.map(({ prompt, comment }) => comment ?? (JSON.parse(prompt) as string))
  return [...new Set(texts.flatMap(findAddresses))]
}

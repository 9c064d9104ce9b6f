// Notifies of something about a job, with the job: in the transaction that makes it true, and once. Each end of a run has exactly
// one of the types that begin with `job.`.

import { addNotification } from '../../notifications/add.ts'
import type { NotificationType } from '../../notifications/notification.ts'
import type { JobRow } from '../../postgres/schema.ts'
import type { Trx } from '../../postgres/types.ts'
import { toJobResponse } from '../response.ts'

type TypeOfJob = Extract<NotificationType, `job.${string}` | `pull_request.${string}`>

/** The job is shown as the transaction has left it: with messages that wait, it is active again. */
export async function notifyOfJob(
  trx: Trx,
  { id, project_id: projectId }: Pick<JobRow, 'id' | 'project_id'>,
  type: TypeOfJob,
): Promise<void> {
  await addNotification(trx, { projectId, type }, async () => {
    const row = await trx.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return { job: toJobResponse(row, '') }
  })
}

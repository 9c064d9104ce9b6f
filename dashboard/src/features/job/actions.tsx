// The actions on a job, as its state allows them. Cancelling and archiving ask first: neither can be taken back.

import { useState } from 'react'
import { archiveJob, cancelJob, type Job, jobQuery } from '../../api/jobs.ts'
import { queries } from '../../api/queries.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { say } from '../../ui/overlay/toast.tsx'

type Props = { readonly job: Job; readonly projectId: string; readonly mayWrite: boolean }

export function Actions({ job, projectId, mayWrite }: Props) {
  const [asking, setAsking] = useState<'cancel' | 'archive'>()
  const act = async (call: typeof cancelJob, done: string) => {
    queries.setQueryData(jobQuery(projectId, job.id).queryKey, await call(projectId, job.id))
    say(done)
    await queries.invalidateQueries({ queryKey: ['jobs', projectId] })
  }
  const close = () => setAsking(undefined)
  return (
    <>
      {mayWrite && job.status === 'active' && <Button onClick={() => setAsking('cancel')}>Cancel the job</Button>}
      {mayWrite && (job.status === 'completed' || job.status === 'failed') && (
        <Button onClick={() => setAsking('archive')}>Archive</Button>
      )}
      {job.prLink !== null && (
        <a href={job.prLink} className={buttonStyle({ kind: 'primary' })}>
          {job.pullRequest?.state === 'open' ? 'Review the pull request' : 'Open the pull request'}
        </a>
      )}
      {asking === 'cancel' && (
        <Confirm
          title="Cancel this job?"
          verb="Cancel the job"
          onConfirm={() => act(cancelJob, 'The job was cancelled')}
          onClose={close}
        >
          The agent stops now. Its edits stay under Changes, and a message continues the job.
        </Confirm>
      )}
      {asking === 'archive' && (
        <Confirm
          title="Archive this job?"
          verb="Archive"
          onConfirm={() => act(archiveJob, 'The job was archived')}
          onClose={close}
        >
          An archived job takes no more messages. Its transcript and its pull request stay.
        </Confirm>
      )}
    </>
  )
}

// How the last run of the job ended, above its open pull request: the change below does not say that a run failed, that one
// is under way, or that the agent asks or answers something.

import { Link } from '@tanstack/react-router'
import { remedyOf } from '../../api/job/remedies.ts'
import { statusOf } from '../../api/job/status.ts'
import type { Job } from '../../api/jobs.ts'
import { plainWords } from '../../prose/inline.ts'

type Props = { readonly job: Job; readonly projectId: string }

export function LastRun({ job, projectId }: Props) {
  const said = sayRun(job)
  return (
    <div role="status">
      {said && (
        <div className={`mb-4 rounded-lg border border-line px-4 py-3 ${said.ground}`}>
          <p className={`font-medium ${said.ink}`}>{said.title}</p>
          {said.text !== '' && <p className="mt-1 max-w-prose text-sm whitespace-pre-line">{said.text}</p>}
          <p className="mt-1 text-sm">
            {said.remedy}{' '}
            <Link
              to="/projects/$projectId/jobs/$jobId"
              params={{ projectId, jobId: job.id }}
              className="font-medium text-accent underline"
            >
              Open the job
            </Link>
          </p>
        </div>
      )}
    </div>
  )
}

function sayRun(job: Job) {
  const { status, outcome, error } = job
  if (status === 'active')
    return { title: `The agent is at work: ${statusOf(job).words}`, text: '', remedy: '', ground: '', ink: '' }
  if (status === 'failed' && error !== null && error.code !== 'cancelled')
    return {
      title: 'The last run failed: this pull request is as it was before',
      text: error.message,
      remedy: remedyOf(error.code),
      ground: 'bg-bad-soft',
      ink: 'text-bad',
    }
  if (job.result?.reply)
    return { title: 'The agent replied to you', text: '', remedy: '', ground: 'bg-raised', ink: '' }
  if (outcome !== 'needs_input') return undefined
  return {
    title: 'A question for you',
    text: '',
    remedy: plainWords(job.result?.title ?? ''),
    ground: 'bg-warn-soft',
    ink: '',
  }
}

// Why a job failed, what to do about it, and the shortest way on: the same message again.

import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FailedChecks } from './failed-checks.tsx'
import { placeOf, remedyOf } from '../../api/job/remedies.ts'
import { createRequestKey } from '../../api/job/request-key.ts'
import { type Job, jobQuery, messagesQuery, sendMessage } from '../../api/jobs.ts'
import { queries } from '../../api/queries.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Refused } from '../../ui/notice.tsx'

/** The edits of the failed run are kept, and the agent can check them itself. */
const fixPrompt = 'Fix the problems that the checks found in your change.'

type Props = { readonly job: Job; readonly projectId: string; readonly mayWrite: boolean; readonly isAdmin: boolean }

export function FailureNotice({ job, projectId, mayWrite, isAdmin }: Props) {
  const isChecks = job.error?.code === 'checks_failed'
  const again = useMutation({
    mutationFn: async () => {
      const prompt = isChecks ? fixPrompt : (await queries.fetchQuery(messagesQuery(projectId, job.id))).at(-1)?.prompt
      return sendMessage(projectId, job.id, { prompt: prompt ?? '' }, createRequestKey())
    },
    onSuccess: (changed) => queries.setQueryData(jobQuery(projectId, job.id).queryKey, changed),
  })
  if (job.error === null) return null
  const { code, message } = job.error
  // The message names the same problems in one paragraph.
  const isListed = isChecks && job.checks !== null
  if (code === 'cancelled')
    return <p className="mb-4 text-sm text-muted">Somebody cancelled this job. {mayWrite && remedyOf(code)}</p>
  return (
    <section aria-label="Why it failed" className="mb-5 rounded-lg border border-line bg-bad-soft px-4 py-3">
      <h2 className="font-medium text-bad">The job failed</h2>
      {isListed ? (
        <FailedChecks job={job} projectId={projectId} />
      ) : (
        <p className="mt-1 max-w-prose text-sm whitespace-pre-line">{message}</p>
      )}
      <p className="mt-2 text-sm">
        <span className="font-medium">What to do: </span>
        {remedyOf(code)} <code className="ml-1 font-mono text-xs text-muted">{code}</code>
      </p>
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {mayWrite && (
          <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
            {isChecks ? 'Ask the agent to fix them' : 'Try again'}
          </Button>
        )}
        {isAdmin && <Remedy code={code} projectId={projectId} />}
      </div>
      {again.isError && <Refused error={again.error} />}
    </section>
  )
}

/** Only admins change settings. */
function Remedy({ code, projectId }: { readonly code: string; readonly projectId: string }) {
  const section = placeOf(code)
  const className = buttonStyle({ size: 'small' })
  if (section === undefined) return null
  if (section === 'models')
    return (
      <Link to="/models" className={className}>
        Open the models
      </Link>
    )
  return (
    <Link to="/projects/$projectId/settings/$section" params={{ projectId, section }} className={className}>
      Open the settings
    </Link>
  )
}

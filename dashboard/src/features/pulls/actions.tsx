// Merging and closing a pull request that Docent keeps. One on a forge is merged and closed there.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jobQuery } from '../../api/jobs.ts'
import { isConflict } from '../../api/problem.ts'
import { closePull, commentsQuery, mergePull, type PullNow } from '../../api/pulls.ts'
import { queries } from '../../api/queries.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Refused } from '../../ui/notice.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { doubtsOf } from './doubts.ts'
import { SolveConflict } from './solve-conflict.tsx'
import { forges } from './state.tsx'

type Props = { readonly pull: PullNow; readonly projectId: string }

export function Actions({ pull, projectId }: Props) {
  const session = useQuery(sessionQuery)
  const [isClosing, setIsClosing] = useState(false)
  const [doubts, setDoubts] = useState<readonly string[]>([])
  const mergeNow = async () => {
    await mergePull(projectId, pull.number)
    await refresh(pull, projectId)
    say(`Merged into ${pull.base}`)
  }
  const merge = useMutation({
    mutationFn: async () => {
      const found = await readDoubts(pull, projectId)
      if (found.length > 0) setDoubts(found)
      else await mergeNow()
    },
  })
  if (pull.forge !== 'docent')
    return (
      <a href={pull.link} rel="noreferrer" className={buttonStyle({ kind: 'primary' })}>
        Open on {forges[pull.forge]} ↗
      </a>
    )
  return (
    <>
      <a href={`${pull.link}?plain`} className={buttonStyle({ kind: 'quiet' })}>
        Public page
      </a>
      {pull.state === 'open' && may(session.data, 'editor') && (
        <>
          <Button onClick={() => setIsClosing(true)}>Close</Button>
          <Button
            kind="primary"
            busy={merge.isPending}
            disabled={(pull.behind?.conflicts.length ?? 0) > 0}
            onClick={() => merge.mutate()}
          >
            Merge
          </Button>
        </>
      )}
      {merge.isError && (
        <Refused error={merge.error}>
          {isConflict(merge.error) && <SolveConflict pull={pull} projectId={projectId} />}
        </Refused>
      )}
      {doubts.length > 0 && (
        <ConfirmMerge number={pull.number} doubts={doubts} onConfirm={mergeNow} onClose={() => setDoubts([])} />
      )}
      {isClosing && (
        <ConfirmClose
          number={pull.number}
          onConfirm={() => closePull(projectId, pull.number).then(() => refresh(pull, projectId))}
          onClose={() => setIsClosing(false)}
        />
      )}
    </>
  )
}

async function refresh(pull: PullNow, projectId: string): Promise<void> {
  await Promise.all(
    [
      ['pull', projectId, pull.number],
      ['pulls', projectId],
      ['jobs', projectId],
      ['job', projectId, pull.jobId],
    ].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
}

type ConfirmProps = {
  readonly number: number
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

function ConfirmMerge({ number, doubts, onConfirm, onClose }: ConfirmProps & { readonly doubts: readonly string[] }) {
  return (
    <Confirm title={`Merge pull request #${number}?`} verb="Merge it" onConfirm={onConfirm} onClose={onClose}>
      {doubts.join(' ')}
    </Confirm>
  )
}

function ConfirmClose({ number, onConfirm, onClose }: ConfirmProps) {
  return (
    <Confirm title={`Close pull request #${number}`} verb="Close it" onConfirm={onConfirm} onClose={onClose}>
      The change is not merged. Its branch stays in the repository, and a message to the job starts a new one.
    </Confirm>
  )
}

/** Reads the job and the comments as they are now. */
async function readDoubts(pull: PullNow, projectId: string): Promise<readonly string[]> {
  const fresh = { staleTime: 0 }
  const [job, comments] = await Promise.all([
    queries.fetchQuery({ ...jobQuery(projectId, pull.jobId), ...fresh }),
    queries.fetchQuery({ ...commentsQuery(projectId, pull.number), ...fresh }),
  ])
  return doubtsOf({ pull, job, comments })
}

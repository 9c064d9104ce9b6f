// Merging and closing a pull request that Docent keeps. One on a forge is merged and closed there.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict } from '../../api/problem.ts'
import { closePull, mergePull, type PullNow } from '../../api/pulls.ts'
import { queries } from '../../api/queries.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Refused } from '../../ui/notice.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { SolveConflict } from './solve-conflict.tsx'
import { forges } from './state.tsx'

type Props = { readonly pull: PullNow; readonly projectId: string }

export function Actions({ pull, projectId }: Props) {
  const session = useQuery(sessionQuery)
  const [isClosing, setIsClosing] = useState(false)
  const refresh = async () => {
    await Promise.all(
      [
        ['pull', projectId, pull.number],
        ['pulls', projectId],
        ['jobs', projectId],
        ['job', projectId, pull.jobId],
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    )
  }
  const merge = useMutation({
    mutationFn: () => mergePull(projectId, pull.number),
    onSuccess: async () => {
      await refresh()
      say(`Merged into ${pull.base}`)
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
      {isClosing && (
        <ConfirmClose
          number={pull.number}
          onConfirm={() => closePull(projectId, pull.number).then(refresh)}
          onClose={() => setIsClosing(false)}
        />
      )}
    </>
  )
}

type ConfirmProps = {
  readonly number: number
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

function ConfirmClose({ number, onConfirm, onClose }: ConfirmProps) {
  return (
    <Confirm title={`Close pull request #${number}`} verb="Close it" onConfirm={onConfirm} onClose={onClose}>
      The change is not merged. Its branch stays in the repository, and a message to the job starts a new one.
    </Confirm>
  )
}

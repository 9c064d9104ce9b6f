// The whole of one turn, which is read when somebody unfolds it: the events have only the beginnings of its texts.

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type TranscriptTurn, turnQuery } from '../../../api/job/transcript.ts'
import { Refused, Skeleton } from '../../../ui/notice.tsx'

export type TurnPlace = { readonly runId: string; readonly turn: number }

type Props = {
  readonly place: TurnPlace
  /** Shown when the turn is erased. */
  readonly without?: ReactNode
  readonly children: (turn: TranscriptTurn) => ReactNode
}

export function WholeTurn({ place, without, children }: Props) {
  const { projectId, jobId } = useParams({ from: '/shell/projects/$projectId/jobs/$jobId' })
  const found = useQuery(turnQuery(projectId, jobId, place))
  if (found.isPending) return <Skeleton className="h-16" />
  if (found.isError) return <Refused error={found.error} retry={() => void found.refetch()} />
  const { turns, erasedAt } = found.data
  if (turns[0]) return children(turns[0])
  return (
    <>
      {without}
      {erasedAt !== null && (
        <p className="text-sm text-muted">The whole texts were erased, as the project keeps them no longer.</p>
      )}
    </>
  )
}

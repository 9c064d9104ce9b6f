// The files of other tools: how to import them, and the undo of each.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteHistory, historiesQuery, type History, sourceNames } from '../../api/visitors.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Refused } from '../../ui/notice.tsx'
import { AskAgain } from '../../ui/overlay/ask-again.tsx'

type Props = { readonly projectId: string; readonly isAdmin: boolean }

export function Histories({ projectId, isAdmin }: Props) {
  const histories = useQuery(historiesQuery(projectId))
  return (
    <section aria-labelledby="histories" className="flex flex-col gap-2">
      <h2 id="histories" className="font-semibold">
        From other tools
      </h2>
      <p className="text-muted">
        Page views of GoatCounter and Umami count under the sessions of that tool. Plausible and Google Analytics export
        daily sums: the chart shows them before the first day measured here, and they are not added to visitors.
      </p>
      <CopyBlock
        name="The command that imports from another tool"
        text={`docent analytics import-history *.csv --project ${projectId}`}
      />
      {histories.isError && <Refused error={histories.error} retry={() => void histories.refetch()} />}
      {histories.data && histories.data.length > 0 && (
        <ul aria-label="Imported files" className="divide-y divide-line rounded-lg border border-line">
          {histories.data.map((history) => (
            <Row key={history.id} {...{ projectId, isAdmin, history }} />
          ))}
        </ul>
      )}
    </section>
  )
}

const numbers = new Intl.NumberFormat('en')

function Row({ projectId, isAdmin, history }: Props & { readonly history: History }) {
  const [isAsked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteHistory(projectId, history.id),
    // Gone already, by another admin: the list says so.
    onSettled: () => queries.invalidateQueries({ queryKey: historiesQuery(projectId).queryKey }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="font-medium break-words">{history.name}</div>
        <div className="text-sm text-muted">{describe(history)}</div>
        {remove.isError && <Refused error={remove.error} />}
      </div>
      {isAdmin && !isAsked && (
        <Button size="small" aria-label={`Delete ${history.name}`} onClick={() => setAsked(true)}>
          Delete
        </Button>
      )}
      {isAsked && (
        <AskAgain
          action="Delete now"
          busy={remove.isPending}
          onKeep={() => setAsked(false)}
          onConfirm={() => remove.mutate()}
        />
      )}
    </li>
  )
}

function describe({ source, sums, pageViews, firstDay, lastDay, isComplete }: History): string {
  const what =
    source === 'goatcounter' || source === 'umami'
      ? `${numbers.format(pageViews)} page views`
      : `${numbers.format(sums)} daily sums`
  const days = firstDay === null ? '' : `, ${firstDay} to ${lastDay}`
  return `${sourceNames[source]}: ${what}${days}${isComplete ? '' : ', incomplete: import the file again'}`
}

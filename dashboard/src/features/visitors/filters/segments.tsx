// The saved segments of a project: one to choose, the filters of the page under a name, and taking one away.

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { may, sessionQuery } from '../../../api/people/session.ts'
import { Problem } from '../../../api/problem.ts'
import { createSegment, deleteSegment, type Segment, segmentsQuery } from '../../../api/project/segments.ts'
import type { Filters } from '../../../api/visitors.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { AskAgain } from '../../../ui/overlay/ask-again.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import type { ChangeView } from '../use-view.ts'
import { type Sites, textOf } from './chip-text.ts'
import { chipsOf, isSameSegment, onlySegment, readFilters, withoutSegment } from './filters.ts'

type Props = {
  readonly projectId: string
  readonly filters: Filters
  readonly sites: Sites
  readonly change: ChangeView
  readonly onClose: () => void
}

export function Segments({ onClose, ...props }: Props) {
  const { projectId, filters, change } = props
  const { data: session } = useQuery(sessionQuery)
  const isEditor = may(session, 'editor')
  const choose = (name: string) => {
    change(onlySegment(name))
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Saved segments"
      description="Filters under a name. One that is chosen replaces the filters above the numbers; others can be added to it."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {isEditor ? (
        <NewSegment {...props} onSaved={choose} />
      ) : (
        <p className="text-sm text-muted">Viewers choose among them. Editors and admins save and delete segments.</p>
      )}
      <Saved
        {...{ projectId, sites: props.sites, isEditor, choose }}
        onDeleted={(name) => {
          if (filters.segment?.some((one) => isSameSegment(one, name))) change(withoutSegment(filters, name))
        }}
      />
    </Dialog>
  )
}

type NewProps = Omit<Props, 'onClose' | 'change'> & { readonly onSaved: (name: string) => void }

function NewSegment({ projectId, filters, sites, onSaved }: NewProps) {
  const [name, setName] = useState('')
  const { segment = [], ...own } = filters
  const create = useMutation({
    mutationFn: () => createSegment(projectId, { name: name.trim(), filters: own }),
    onSuccess: (made) => onSaved(made.name),
  })
  if (Object.keys(filters).length === 0)
    return <p className="text-sm text-muted">To save one, filter the page first: its filters get a name here.</p>
  if (segment.length > 0)
    return (
      <p className="text-sm text-muted">To save one, take the segment off the page: a segment holds filters alone.</p>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const problem = create.error instanceof Problem ? create.error.of('name') : undefined
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label="Name of the filters of this page" hint={<Words filters={own} sites={sites} />} problem={problem}>
        <Input
          required
          maxLength={100}
          placeholder="Readers of the guides"
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
      </Field>
      {create.isError && problem === undefined && <Refused error={create.error} />}
      <Button type="submit" kind="primary" busy={create.isPending} className="w-fit">
        Save
      </Button>
    </form>
  )
}

type SavedProps = {
  readonly projectId: string
  readonly sites: Sites
  readonly isEditor: boolean
  readonly choose: (name: string) => void
  readonly onDeleted: (name: string) => void
}

function Saved({ projectId, ...props }: SavedProps) {
  const segments = useQuery(segmentsQuery(projectId))
  if (segments.isPending) return <Skeleton className="h-16" />
  if (segments.isError) return <Refused error={segments.error} retry={() => void segments.refetch()} />
  if (segments.data.length === 0) return <p className="text-sm text-muted">No segment is saved.</p>
  return (
    <ul aria-label="Saved segments" className="divide-y divide-line rounded-lg border border-line">
      {segments.data.map((segment) => (
        <One key={segment.id} {...{ projectId, segment, ...props }} />
      ))}
    </ul>
  )
}

type OneProps = SavedProps & { readonly segment: Segment }

function One({ projectId, segment, sites, isEditor, choose, onDeleted }: OneProps) {
  const [isAsked, setAsked] = useState(false)
  const remove = useMutation({
    mutationFn: () => deleteSegment(projectId, segment.id),
    onSuccess: () => onDeleted(segment.name),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="font-medium break-words">{segment.name}</div>
        <div className="text-sm break-all text-muted">
          <Words filters={readFilters(segment.filters)} sites={sites} />
        </div>
        {isAsked && <p className="text-sm">Links to it will no longer work. Page views stay.</p>}
        {remove.isError && <Refused error={remove.error} />}
      </div>
      {isAsked ? (
        <AskAgain
          action="Delete now"
          busy={remove.isPending}
          onKeep={() => setAsked(false)}
          onConfirm={() => remove.mutate()}
        />
      ) : (
        <>
          <Button size="small" aria-label={`Show the segment ${segment.name}`} onClick={() => choose(segment.name)}>
            Show
          </Button>
          {isEditor && (
            <Button
              size="small"
              kind="quiet"
              aria-label={`Delete the segment ${segment.name}`}
              onClick={() => setAsked(true)}
            >
              Delete
            </Button>
          )}
        </>
      )}
    </li>
  )
}

function Words({ filters, sites }: { readonly filters: Filters; readonly sites: Sites }) {
  return chipsOf(filters)
    .map((chip) => textOf(chip, sites))
    .join(' · ')
}

// A group of settings that is saved together: its draft, its fields, and the buttons that save it or go back.

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { type Project, type ProjectChange, updateProject } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { say } from '../../../ui/overlay/toast.tsx'

type Conversion<Draft> = {
  readonly toDraft: (project: Project) => Draft
  readonly toChange: (draft: Draft) => ProjectChange
}

export type Settings<Draft> = {
  readonly draft: Draft
  readonly change: (fields: Partial<Draft>) => void
  readonly isChanged: boolean
  readonly isBusy: boolean
  readonly save: () => void
  readonly discard: () => void
  readonly error: unknown
  /** The problem of a field: `of('budget/turns')`. */
  readonly of: (field: string) => string | undefined
}

/** The draft of some settings. What the service stored replaces it: it may have normalised a value. */
export function useSettings<Draft extends object>(
  project: Project,
  { toDraft, toChange }: Conversion<Draft>,
): Settings<Draft> {
  const stored = toDraft(project)
  const [draft, setDraft] = useState(stored)
  const update = useMutation({
    mutationFn: () => updateProject(project.id, toChange(draft)),
    onSuccess: (updated) => {
      setDraft(toDraft(updated))
      say('Saved')
    },
  })
  return {
    draft,
    change: (fields) => setDraft((before) => ({ ...before, ...fields })),
    isChanged: JSON.stringify(draft) !== JSON.stringify(stored),
    isBusy: update.isPending,
    save: () => update.mutate(),
    discard: () => {
      setDraft(stored)
      update.reset()
    },
    error: update.error,
    of: (field) => problemOf(update.error, field),
  }
}

/** Also what is wrong within a list: `#/pathPolicy/deny/2` belongs to `pathPolicy/deny`. */
function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof Problem)) return undefined
  const pointer = `#/${field}`
  const found = error.details.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`))
  if (found.length === 0) return undefined
  return found
    .map((one) => {
      const at = Number.parseInt(one.pointer.slice(pointer.length + 1), 10)
      return Number.isNaN(at) ? one.message : `Line ${at + 1} ${one.message}`
    })
    .join('. ')
}

type CardProps<Draft> = {
  readonly title: string
  readonly about?: ReactNode
  readonly settings: Settings<Draft>
  readonly children: ReactNode
}

export function SettingsCard<Draft>({ title, about, settings, children }: CardProps<Draft>) {
  const { isChanged, isBusy, save, discard, error } = settings
  return (
    <Card title={title} about={about}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isChanged) save()
        }}
      >
        {children}
        {isUnplaced(error) && <Refused error={error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" kind={isChanged ? 'primary' : 'plain'} disabled={!isChanged} busy={isBusy}>
            Save
          </Button>
          {isChanged && !isBusy && (
            <Button kind="quiet" onClick={discard}>
              Discard
            </Button>
          )}
        </div>
      </form>
    </Card>
  )
}

function isUnplaced(error: unknown): boolean {
  return error !== null && !(error instanceof Problem && error.details.length > 0)
}

type PlainProps = { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }

export function Card({ title, about, children }: PlainProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line">
      <div className="border-b border-line px-4 py-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {about !== undefined && <div className="mt-0.5 text-sm text-muted">{about}</div>}
      </div>
      <div className="p-4">{children}</div>
    </section>
  )
}

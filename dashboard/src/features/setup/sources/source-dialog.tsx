// Adds a source, or changes one: its repository, name and branch, and the files that can be read.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { saveSource, type Source, type SourceFields } from '../../../api/project/sources.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Field, Input, TextArea } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Address } from '../connect/address.tsx'
import { nameOf } from '../connect/host.ts'
import { fromLines, toLines } from '../../../ui/form/drafts.ts'

type Props = {
  readonly projectId: string
  /** Undefined: a new one. */
  readonly source: Source | undefined
  readonly onClose: () => void
}

type Draft = {
  readonly repository: string
  readonly name: string
  readonly branch: string
  readonly paths: string
  readonly outsidersCommit: boolean
  readonly releaseStatus: boolean
}

export function SourceDialog({ projectId, source, onClose }: Props) {
  const [draft, setDraft] = useState(toDraft(source))
  const save = useMutation({
    mutationFn: () => saveSource(projectId, source?.name, toFields(draft)),
    onSuccess: onClose,
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={source === undefined ? 'Add a source' : `Edit ${source.name}`}
      footer={<Buttons isBusy={save.isPending} onClose={onClose} />}
    >
      <form
        id="source"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Address
          value={draft.repository}
          onChange={(repository) => {
            // The name of a new source follows the address until it is written.
            const follows = source === undefined && draft.name === suggestName(draft.repository)
            setDraft({ ...draft, repository, name: follows ? suggestName(repository) : draft.name })
          }}
          problem={problem?.of('repository')}
          placeholder="https://github.com/acme/api.git"
        />
        <Fields draft={draft} change={(fields) => setDraft({ ...draft, ...fields })} problem={problem} />
        {save.isError && (problem?.details.length ?? 0) === 0 && <Refused error={save.error} />}
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  readonly draft: Draft
  readonly change: (fields: Partial<Draft>) => void
  readonly problem: Problem | undefined
}

function Fields({ draft, change, problem }: FieldsProps) {
  const glob = problem?.details.find(({ pointer }) => pointer.startsWith('#/paths'))?.message
  const outsiders = problem?.details.find(({ pointer }) => pointer === '#/outsidersCommit')?.message
  return (
    <>
      <Field
        label="Name"
        hint="Lower-case letters, digits and dashes; not the name of a top folder of the documentation."
        problem={problem?.of('name')}
      >
        <Input
          required
          maxLength={40}
          spellCheck={false}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </Field>
      <Field label="Branch" hint="Empty: the default branch of the repository." problem={problem?.of('branch')}>
        <Input
          spellCheck={false}
          value={draft.branch}
          placeholder="main"
          onChange={(event) => change({ branch: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Files"
        hint="Globs of the files that can be read, such as src/ or *.md. One a line. Empty: all files."
        problem={glob && `A glob ${glob}.`}
      >
        <TextArea
          spellCheck={false}
          className="min-h-16 font-mono text-sm"
          value={draft.paths}
          onChange={(event) => change({ paths: event.currentTarget.value })}
        />
      </Field>
      <div>
        <Checkbox
          label="People outside of the team commit to it"
          hint="No automation that reads it merges by itself: a person looks at each change."
          checked={draft.outsidersCommit}
          onChange={(outsidersCommit) => change({ outsidersCommit })}
        />
        {outsiders !== undefined && <p role="alert" className="mt-1 text-sm text-bad">{`It ${outsiders}.`}</p>}
      </div>
      <Checkbox
        label="Set a commit status on releases"
        hint="It says on the newest tag how many changes are undocumented, if an automation follows the source. The credential needs the right to set statuses; nothing else is written."
        checked={draft.releaseStatus}
        onChange={(releaseStatus) => change({ releaseStatus })}
      />
    </>
  )
}

function toDraft(source: Source | undefined): Draft {
  const {
    repository = '',
    name = '',
    branch = null,
    paths = [],
    outsidersCommit = false,
    releaseStatus = false,
  } = source ?? {}
  return { repository, name, branch: branch ?? '', paths: fromLines(paths), outsidersCommit, releaseStatus }
}

function toFields({ repository, name, branch, paths, outsidersCommit, releaseStatus }: Draft): SourceFields {
  return {
    name,
    repository: repository.trim(),
    branch: branch.trim() === '' ? null : branch.trim(),
    paths: [...toLines(paths)],
    outsidersCommit,
    releaseStatus,
  }
}

/** `https://github.com/acme/API_server.git` is `api-server`. */
function suggestName(repository: string): string {
  const last = nameOf(repository).split('/').at(-1) ?? ''
  return last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

function Buttons({ isBusy, onClose }: { readonly isBusy: boolean; readonly onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="source" kind="primary" busy={isBusy}>
        {isBusy ? 'Checking the source …' : 'Save'}
      </Button>
    </>
  )
}

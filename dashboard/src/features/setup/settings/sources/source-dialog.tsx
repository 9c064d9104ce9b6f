// Adds a source, or changes one: its repository, name and branch, and the files that can be read.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../../api/problem.ts'
import { saveSource, type Source } from '../../../../api/sources.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field, Input, TextArea } from '../../../../ui/form/field.tsx'
import { Refused } from '../../../../ui/notice.tsx'
import { Dialog } from '../../../../ui/overlay/dialog.tsx'
import { Address } from '../../connect/address.tsx'
import { nameOf } from '../../connect/host.ts'
import { fromLines, toLines } from '../drafts.ts'

type Props = {
  readonly projectId: string
  /** Undefined: a new one. */
  readonly source: Source | undefined
  readonly onClose: () => void
}

export function SourceDialog({ projectId, source, onClose }: Props) {
  const [repository, setRepository] = useState(source?.repository ?? '')
  /** Undefined: follows the repository. */
  const [name, setName] = useState<string | undefined>(source?.name)
  const [branch, setBranch] = useState(source?.branch ?? '')
  const [paths, setPaths] = useState(fromLines(source?.paths ?? []))
  const shownName = name ?? suggestName(repository)
  const save = useMutation({
    mutationFn: () =>
      saveSource(projectId, source?.name, {
        name: shownName,
        repository: repository.trim(),
        branch: branch.trim() === '' ? null : branch.trim(),
        paths: [...toLines(paths)],
      }),
    onSuccess: onClose,
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  const glob = problem?.details.find(({ pointer }) => pointer.startsWith('#/paths'))?.message
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
          value={repository}
          onChange={setRepository}
          problem={problem?.of('repository')}
          placeholder="https://github.com/acme/api.git"
        />
        <Field
          label="Name"
          hint="Lower-case letters, digits and dashes; not the name of a top folder of the documentation."
          problem={problem?.of('name')}
        >
          <Input
            required
            maxLength={40}
            spellCheck={false}
            value={shownName}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="Branch" hint="Empty: the default branch of the repository." problem={problem?.of('branch')}>
          <Input
            spellCheck={false}
            value={branch}
            placeholder="main"
            onChange={(event) => setBranch(event.currentTarget.value)}
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
            value={paths}
            onChange={(event) => setPaths(event.currentTarget.value)}
          />
        </Field>
        {save.isError && (problem?.details.length ?? 0) === 0 && <Refused error={save.error} />}
      </form>
    </Dialog>
  )
}

/** `https://github.com/acme/API_server.git` is `api-server`. */
function suggestName(repository: string): string {
  const last = nameOf(repository).split('/').at(-1) ?? ''
  return last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
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

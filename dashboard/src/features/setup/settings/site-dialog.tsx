// Adds a site, or changes one: its name, the origins of its pages, and whether visitors who opt out are left alone.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { saveSite, type Site } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form/choice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Field, Input, TextArea } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { fromLines, toLines } from '../../../ui/form/drafts.ts'

type Props = {
  readonly projectId: string
  /** Undefined: a new one. */
  readonly site: Site | undefined
  readonly onClose: () => void
}

export function SiteDialog({ projectId, site, onClose }: Props) {
  const [name, setName] = useState<string | undefined>(site?.name)
  const [origins, setOrigins] = useState(fromLines(site?.origins ?? []))
  const [honoursOptOut, setHonours] = useState(site?.honoursOptOut ?? false)
  const shownName = name ?? hostIn(origins)
  const save = useMutation({
    mutationFn: () => saveSite(projectId, site?.id, { name: shownName, origins: [...toLines(origins)], honoursOptOut }),
    onSuccess: onClose,
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  const origin = problem?.details.find(({ pointer }) => pointer.startsWith('#/origins'))?.message
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={site === undefined ? 'Add a site' : `Edit ${site.name}`}
      footer={<Buttons isBusy={save.isPending} onClose={onClose} />}
    >
      <form
        id="site"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label="Origins"
          hint="Where the pages are, such as https://docs.example.com. One a line."
          problem={origin && `An origin ${origin}`}
        >
          <TextArea
            required
            spellCheck={false}
            className="min-h-16 font-mono text-sm"
            placeholder="https://docs.example.com"
            value={origins}
            onChange={(event) => setOrigins(event.currentTarget.value)}
          />
        </Field>
        <Field label="Name" problem={problem?.of('name')}>
          <Input required maxLength={100} value={shownName} onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Checkbox
          label="Leave visitors alone who opt out"
          hint="Do Not Track and Global Privacy Control. Their page views are not counted."
          checked={honoursOptOut}
          onChange={setHonours}
        />
        {save.isError && problem?.details.length === 0 && <Refused error={save.error} />}
      </form>
    </Dialog>
  )
}

function hostIn(origins: string): string {
  const [first = ''] = toLines(origins)
  return URL.parse(first)?.host ?? ''
}

function Buttons({ isBusy, onClose }: { readonly isBusy: boolean; readonly onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="site" kind="primary" busy={isBusy}>
        Save
      </Button>
    </>
  )
}

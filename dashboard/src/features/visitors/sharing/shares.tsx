// Shared links of a project: who has one, a new one, and taking one back. A link is shown once, when it is created.

import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createShare, revokeShare, type Share, sharesQuery } from '../../../api/shares.ts'
import { Problem } from '../../../api/problem.ts'
import { queries } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyBlock } from '../../../ui/copy.tsx'
import { AskAgain } from '../../../ui/overlay/ask-again.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Select } from '../../../ui/form/select.tsx'

type Props = { readonly projectId: string; readonly onClose: () => void }

export function Shares({ projectId, onClose }: Props) {
  const [link, setLink] = useState<string>()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Share the statistics"
      description="Anyone with a link sees the visitors of this project without an account, and nothing else. Lists other than pages leave out rows under 5."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {link === undefined ? (
        <NewShare projectId={projectId} onCreated={setLink} />
      ) : (
        <div role="status" className="flex flex-col gap-2">
          <p className="font-medium">Copy the link now. It is not shown again.</p>
          <CopyBlock name="The new link" text={link} />
          <Button size="small" className="w-fit" onClick={() => setLink(undefined)}>
            Create another link
          </Button>
        </div>
      )}
      <Links projectId={projectId} />
    </Dialog>
  )
}

const lives = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
] as const
type Life = (typeof lives)[number]['value']

type NewProps = { readonly projectId: string; readonly onCreated: (link: string) => void }

function NewShare({ projectId, onCreated }: NewProps) {
  const [name, setName] = useState('')
  const [life, setLife] = useState<Life>('never')
  const create = useMutation({
    mutationFn: () => createShare(projectId, { name: name.trim(), expiresAt: endOf(life) }),
    onSuccess: async ({ link }) => {
      onCreated(link)
      await queries.invalidateQueries({ queryKey: sharesQuery(projectId).queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const problem = create.error instanceof Problem ? create.error.of('name') : undefined
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-3">
        <div className="min-w-48 flex-1">
          <Field label="Who it is for" problem={problem}>
            <Input
              required
              maxLength={100}
              placeholder="Docs team"
              value={name}
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
          </Field>
        </div>
        <div className="w-36">
          <Field label="Expires">
            <Select name="Expires" value={life} options={lives} onChange={setLife} />
          </Field>
        </div>
      </div>
      {create.isError && problem === undefined && <Refused error={create.error} />}
      <Button type="submit" kind="primary" busy={create.isPending} className="w-fit">
        Create link
      </Button>
    </form>
  )
}

function endOf(life: Life): string | null {
  return life === 'never' ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString()
}

function Links({ projectId }: { readonly projectId: string }) {
  const shares = useQuery(sharesQuery(projectId))
  if (shares.isPending) return <Skeleton className="h-16" />
  if (shares.isError) return <Refused error={shares.error} retry={() => void shares.refetch()} />
  if (shares.data.length === 0) return <p className="text-sm text-muted">No link works at the moment.</p>
  return (
    <section aria-label="Links that work">
      <h3 className="mb-1 text-sm font-medium">Links that work</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {shares.data.map((share) => (
          <Link key={share.id} projectId={projectId} share={share} />
        ))}
      </ul>
    </section>
  )
}

function Link({ projectId, share }: { readonly projectId: string; readonly share: Share }) {
  const [isAsked, setAsked] = useState(false)
  const revoke = useMutation({
    mutationFn: () => revokeShare(projectId, share.id),
    // Gone already, by another admin: the list says so.
    onSettled: () => queries.invalidateQueries({ queryKey: sharesQuery(projectId).queryKey }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="font-medium">{share.name}</div>
        <div className="text-sm text-muted">
          Created <RelativeTime at={share.createdAt} />
          {share.lastUsedAt === null ? (
            ', never opened'
          ) : (
            <>
              , opened <RelativeTime at={share.lastUsedAt} />
            </>
          )}
          {share.expiresAt !== null && (
            <>
              , expires <RelativeTime at={share.expiresAt} />
            </>
          )}
        </div>
        {revoke.isError && <Refused error={revoke.error} />}
      </div>
      {isAsked ? (
        <AskAgain
          action="Revoke now"
          busy={revoke.isPending}
          onKeep={() => setAsked(false)}
          onConfirm={() => revoke.mutate()}
        />
      ) : (
        <Button size="small" aria-label={`Revoke the link ${share.name}`} onClick={() => setAsked(true)}>
          Revoke
        </Button>
      )}
    </li>
  )
}

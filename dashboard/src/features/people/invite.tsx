// Invites a person, or renews an invitation: an address and a role become a link, which is shown once.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invitation, invite } from '../../api/people/people.ts'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import type { Role } from '../../api/people/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { roleOptions } from './roles.ts'

type Props = { readonly onClose: () => void; readonly again?: Invitation }

/** `again`: the invitation whose link is replaced. */
export function Invite({ onClose, again }: Props) {
  const [role, setRole] = useState<Role>(again?.role ?? 'viewer')
  const [email, setEmail] = useState(again?.email ?? '')
  const create = useMutation({
    mutationFn: () => invite({ email, role }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  if (create.isSuccess) return <Link email={create.data.email} link={create.data.link} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={again ? `A new link for ${again.email}` : 'Invite a person'}
      description={again && 'The link that was sent before stops working.'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="invite" kind="primary" busy={create.isPending}>
            Create the link
          </Button>
        </>
      }
    >
      <form
        id="invite"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="E-mail" problem={problem?.of('email')}>
          <Input
            type="email"
            required
            autoFocus={!again}
            readOnly={again !== undefined}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        </Field>
        <Field label="Role">
          <Select name="Role" value={role} options={roleOptions} onChange={setRole} />
        </Field>
        {problem?.details.length === 0 && <Refused error={problem} />}
      </form>
    </Dialog>
  )
}

type LinkProps = { readonly email: string; readonly link: string; readonly onClose: () => void }

function Link({ email, link, onClose }: LinkProps) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => !open && onClose()}
      title={`Send this link to ${email}`}
      description="It works once, within 7 days, and is not shown again. The service sends no mail."
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyBlock name="Link of the invitation" text={link} />
    </Dialog>
  )
}

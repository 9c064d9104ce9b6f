// The page behind an invitation's link: a name, a password, and the person is signed in. The token is behind the #, where
// no server sees it.

import { useMutation, useQuery } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused, Skeleton } from '../../ui/notice.tsx'
import { roleHints, roleNames } from '../../api/people/roles.ts'
import { Card } from './card.tsx'
import { useEnter } from './enter.ts'
import { NameField, PasswordField } from './fields.tsx'
import { LinkRefused } from './link-refused.tsx'

export function AcceptInvitation() {
  const token = location.hash.slice(1)
  const enter = useEnter()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => ask((api) => api.GET('/v1/invitations/{token}/accept', { params: { path: { token } } })),
    retry: false,
  })
  const accept = useMutation({
    mutationFn: (body: { readonly name: string; readonly password: string }) =>
      ask((api) => api.POST('/v1/invitations/{token}/accept', { params: { path: { token } }, body })),
    onSuccess: (session) => enter(session),
  })
  const problem = accept.error instanceof Problem ? accept.error : undefined
  if (invitation.isPending)
    return (
      <Card title="Invitation">
        <Skeleton className="h-40" />
      </Card>
    )
  if (invitation.isError)
    return (
      <Card title="Invitation">
        <LinkRefused error={invitation.error} />
      </Card>
    )
  return (
    <Card title="Join Docent">
      <p className="text-muted">
        {invitation.data.invitedBy} invited <span className="break-all text-text">{invitation.data.email}</span> as{' '}
        {roleNames[invitation.data.role].toLowerCase()}, who {roleHints[invitation.data.role]}.
      </p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          accept.mutate({ name: textOf(form, 'name'), password: textOf(form, 'password') })
        }}
      >
        <input type="hidden" name="email" autoComplete="username" value={invitation.data.email} readOnly />
        <NameField problem={problem?.of('name')} />
        <PasswordField problem={problem?.of('password')} />
        {accept.isError && problem?.details.length === 0 && <Refused error={accept.error} />}
        <Button type="submit" kind="primary" busy={accept.isPending}>
          Create the account
        </Button>
      </form>
    </Card>
  )
}

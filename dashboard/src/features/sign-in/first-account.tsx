// The first step of the first run: the account of the first admin. The token is behind the #, where no server sees it.

import { useMutation } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused } from '../../ui/notice.tsx'
import { Card } from './card.tsx'
import { useEnter } from './enter.ts'
import { NameField, PasswordField } from './fields.tsx'

export function FirstAccount() {
  const token = location.hash.slice(1)
  const enter = useEnter()
  const create = useMutation({
    mutationFn: (body: { readonly email: string; readonly name: string; readonly password: string }) =>
      ask((api) => api.POST('/v1/setup', { body: { ...body, token } })),
    onSuccess: (session) => enter(session, { to: '/get-started/$step', params: { step: 'project' } }),
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  return (
    <Card title="Create your account">
      <p className="text-muted">The first account is an admin. It can invite everybody else.</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          create.mutate({
            email: textOf(form, 'email'),
            name: textOf(form, 'name'),
            password: textOf(form, 'password'),
          })
        }}
      >
        <NameField problem={problem?.of('name')} />
        <Field label="E-mail" problem={problem?.of('email')}>
          <Input name="email" type="email" autoComplete="username" required />
        </Field>
        <PasswordField problem={problem?.of('password')} />
        {create.isError && problem?.details.length === 0 && <Refused error={create.error} />}
        <Button type="submit" kind="primary" busy={create.isPending}>
          Create the account
        </Button>
      </form>
    </Card>
  )
}

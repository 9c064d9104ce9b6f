// Signing in with e-mail and password.

import { useMutation } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { queries } from '../../api/queries.ts'
import { sessionQuery, signIn } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Card } from './card.tsx'

export function SignIn() {
  const router = useRouter()
  const { back } = useSearch({ from: '/sign-in' })
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ href: back ?? '/' })
    },
  })
  return (
    <Card title="Sign in to Docent">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          attempt.mutate({ email: textOf(form, 'email'), password: textOf(form, 'password') })
        }}
      >
        <Field label="E-mail">
          <Input name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Field label="Password">
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
        {attempt.isError && <Refused error={attempt.error} />}
        <Button type="submit" kind="primary" busy={attempt.isPending}>
          Sign in
        </Button>
      </form>
      <p className="text-sm text-muted">Forgot the password? An admin can remove your account and invite you again.</p>
    </Card>
  )
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

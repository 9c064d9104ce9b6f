// E-mail and password: on the page that signs in, and over a page whose session ended.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Session, signIn } from '../../api/people/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused } from '../../ui/notice.tsx'

export function SignInForm({ onSignedIn }: { readonly onSignedIn: (session: Session) => Promise<void> }) {
  const password = useRef<HTMLInputElement>(null)
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: () => password.current?.select(),
  })
  return (
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
        <Input ref={password} name="password" type="password" autoComplete="current-password" required />
      </Field>
      {attempt.isError && <Refused error={attempt.error} />}
      <Button type="submit" kind="primary" busy={attempt.isPending}>
        Sign in
      </Button>
    </form>
  )
}

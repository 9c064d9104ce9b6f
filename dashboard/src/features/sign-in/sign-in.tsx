// Signing in with e-mail and password, and back to the page that asked for it.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { queries } from '../../api/queries.ts'
import { sessionQuery, signIn } from '../../api/people/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused } from '../../ui/notice.tsx'
import { Card } from './card.tsx'

export function SignIn() {
  const router = useRouter()
  const { back } = useSearch({ from: '/sign-in' })
  const password = useRef<HTMLInputElement>(null)
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      // The cache belongs to somebody else, or to nobody.
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ href: back ?? '/', replace: true })
    },
    onError: () => password.current?.select(),
  })
  return (
    <Card title="Sign in to Docent">
      <NoAccount />
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
      <p className="text-sm text-muted">
        Forgot the password? Ask the operator for a link: <code className="font-mono">docent person reset EMAIL</code>
      </p>
    </Card>
  )
}

/** Nobody can sign in yet. */
function NoAccount() {
  const { data: session } = useQuery(sessionQuery)
  if (session?.setup !== true) return null
  return (
    <p role="note" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
      There is no account yet. Open the link that <code className="font-mono">docent serve</code> printed, or get a new
      one with <code className="font-mono">docent setup-link</code>.
    </p>
  )
}

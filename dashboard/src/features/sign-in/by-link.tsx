// The pages behind links that work once: one signs its person in, the other takes a new password first. The token is behind
// the #, where no server sees it.

import { useMutation } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { ask } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { sessionQuery } from '../../api/people/session.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused } from '../../ui/notice.tsx'
import { Card } from './card.tsx'

/** Signs in by itself, once: a second request would find the link used. */
export function SignInByLink() {
  const open = useLink()
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isAsked.current) open.mutate(undefined)
    isAsked.current = true
  }, [open])
  return (
    <Card title="Signing in">{open.isError ? <Failed error={open.error} /> : <p role="status">One moment …</p>}</Card>
  )
}

export function NewPassword() {
  const open = useLink()
  const problem = open.error instanceof Problem ? open.error : undefined
  return (
    <Card title="Choose a new password">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          open.mutate(textOf(new FormData(event.currentTarget), 'password'))
        }}
      >
        <Field label="New password" hint="At least 12 characters." problem={problem?.of('password')}>
          <Input name="password" type="password" autoComplete="new-password" required autoFocus />
        </Field>
        {open.isError && problem?.of('password') === undefined && <Failed error={open.error} />}
        <Button type="submit" kind="primary" busy={open.isPending}>
          Save and sign in
        </Button>
      </form>
    </Card>
  )
}

function Failed({ error }: { readonly error: unknown }): ReactNode {
  return (
    <>
      <Refused error={error} />
      <Link to="/sign-in" className={buttonStyle({ kind: 'plain' })}>
        Sign in with a password
      </Link>
    </>
  )
}

function useLink() {
  const router = useRouter()
  return useMutation({
    mutationFn: (password: string | undefined) => {
      const token = location.hash.slice(1)
      const body = password === undefined ? { token } : { token, password }
      return ask((api) => api.POST('/v1/session/link', { body }))
    },
    onSuccess: async (session) => {
      // The cache belongs to somebody else, or to nobody.
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ to: '/', replace: true })
    },
  })
}

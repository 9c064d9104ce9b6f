// The pages behind links that work once: one signs its person in, the other takes a new password first. The token is behind
// the #, where no server sees it.

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ask } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Card } from './card.tsx'
import { useEnter } from './enter.ts'
import { PasswordField } from './fields.tsx'
import { LinkRefused } from './link-refused.tsx'

/** Signs in by itself, once: a second request would find the link used. */
export function SignInByLink() {
  const open = useLink()
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isAsked.current) open.mutate(undefined)
    isAsked.current = true
  }, [open])
  return (
    <Card title="Signing in">
      {open.isError ? <LinkRefused error={open.error} /> : <p role="status">One moment …</p>}
    </Card>
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
        <PasswordField label="New password" problem={problem?.of('password')} autoFocus />
        {open.isError && problem?.of('password') === undefined && <LinkRefused error={open.error} />}
        <Button type="submit" kind="primary" busy={open.isPending}>
          Save and sign in
        </Button>
      </form>
    </Card>
  )
}

function useLink() {
  const enter = useEnter()
  return useMutation({
    mutationFn: (password: string | undefined) => {
      const token = location.hash.slice(1)
      const body = password === undefined ? { token } : { token, password }
      return ask((api) => api.POST('/v1/session/link', { body }))
    },
    onSuccess: (session) => enter(session),
  })
}

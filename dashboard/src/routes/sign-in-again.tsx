// Asks for the password when the session ended while a page was open. The page stays as it is behind this, with what was
// typed into it, so that the person continues where they were.

import { Dialog } from '@base-ui/react/dialog'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../api/queries.ts'
import { sessionQuery, signIn } from '../api/people/session.ts'
import { Button } from '../ui/button.tsx'
import { Field, Input } from '../ui/form/field.tsx'
import { Refused } from '../ui/notice.tsx'

export function SignInAgain() {
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: async (session) => {
      queries.setQueryData(sessionQuery.queryKey, session)
      await queries.invalidateQueries()
    },
  })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-sunken" />
        <Dialog.Popup className="fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[min(24rem,94vw)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-6">
          <div>
            <Dialog.Title className="text-xl font-semibold">Sign in again</Dialog.Title>
            <Dialog.Description className="mt-1 text-muted">
              Your session ended. The page continues where you left it.
            </Dialog.Description>
          </div>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              attempt.mutate({ email, password })
            }}
          >
            <Field label="E-mail">
              <Input
                type="email"
                autoComplete="username"
                required
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
            </Field>
            <Field label="Password">
              <Input
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            </Field>
            {attempt.isError && <Refused error={attempt.error} />}
            <Button type="submit" kind="primary" busy={attempt.isPending}>
              Sign in
            </Button>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

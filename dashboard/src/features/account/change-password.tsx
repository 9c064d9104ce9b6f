// Changes the password. Every other browser has to sign in again.

import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { changePassword } from '../../api/people/session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { textOf } from '../../ui/form/form.ts'
import { Refused } from '../../ui/notice.tsx'
import { say } from '../../ui/overlay/toast.tsx'

export function ChangePassword({ email }: { readonly email: string }) {
  const form = useRef<HTMLFormElement>(null)
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: async () => {
      form.current?.reset()
      say('Your password has changed. Other browsers are signed out.')
      await queries.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const problem = change.error instanceof Problem ? change.error : undefined
  return (
    <section aria-labelledby="password">
      <h2 id="password" className="mb-3 text-lg font-semibold">
        Password
      </h2>
      <form
        ref={form}
        className="flex max-w-sm flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget)
          change.mutate({ currentPassword: textOf(given, 'current'), password: textOf(given, 'password') })
        }}
      >
        <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
        <Field label="Current password" problem={problem?.of('currentPassword')}>
          <Input name="current" type="password" autoComplete="current-password" required />
        </Field>
        <Field
          label="New password"
          hint="At least 12 characters. Every other browser is signed out."
          problem={problem?.of('password')}
        >
          <Input name="password" type="password" autoComplete="new-password" required />
        </Field>
        {change.isError && (problem?.details.length ?? 0) === 0 && <Refused error={change.error} />}
        <Button type="submit" className="self-start" busy={change.isPending}>
          Change the password
        </Button>
      </form>
    </section>
  )
}

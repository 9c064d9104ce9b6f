// The fields of a person who gets an account or a new password.

import { Field, Input } from '../../ui/form/field.tsx'

type Props = { readonly problem: string | undefined }

export function NameField({ problem }: Props) {
  return (
    <Field label="Your name" problem={problem}>
      <Input name="name" autoComplete="name" required maxLength={100} autoFocus />
    </Field>
  )
}

type PasswordProps = Props & { readonly label?: string; readonly autoFocus?: boolean }

export function PasswordField({ problem, label = 'Password', autoFocus = false }: PasswordProps) {
  return (
    <Field label={label} hint="At least 12 characters." problem={problem}>
      <Input name="password" type="password" autoComplete="new-password" required autoFocus={autoFocus} />
    </Field>
  )
}

// The field for the address of a repository.

import { Field, Input } from '../../../ui/form/field.tsx'

type Props = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
  readonly placeholder: string
}

export function Address({ value, onChange, problem, placeholder }: Props) {
  return (
    <Field
      label="Repository"
      hint="The address that you clone from, over https or ssh, without a password."
      problem={problem}
    >
      <Input
        required
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

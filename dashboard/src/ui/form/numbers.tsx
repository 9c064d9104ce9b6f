// Limits that people type, each in a field of its own.

import { numberPattern } from './drafts.ts'
import { Field, Input } from './field.tsx'

type Props<Name extends string> = {
  readonly fields: readonly { readonly name: Name; readonly label: string; readonly hint?: string }[]
  readonly values: Readonly<Record<Name, string>>
  readonly onChange: (name: Name, value: string) => void
  readonly problemOf: (name: Name) => string | undefined
}

export function Numbers<Name extends string>({ fields, values, onChange, problemOf }: Props<Name>) {
  return fields.map(({ name, label, hint }) => (
    <Field key={name} label={label} hint={hint} problem={problemOf(name)}>
      <Input
        inputMode="decimal"
        pattern={numberPattern}
        title="A number"
        className="tabular-nums"
        value={values[name]}
        onChange={(event) => onChange(name, event.currentTarget.value)}
      />
    </Field>
  ))
}

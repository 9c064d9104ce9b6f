// Choices that are all on the page: one of several with a sentence each, or a single box to tick.

import { type ReactNode, useId } from 'react'
import { cn } from '../cn.ts'

type Choice<Value extends string> = { readonly value: Value; readonly label: string; readonly hint?: ReactNode }

type Props<Value extends string> = {
  /** The question that the choices respond to. */
  readonly legend: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly choices: readonly Choice<Value>[]
  readonly className?: string
}

export function Choices<Value extends string>({ legend, value, onChange, choices, className }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className={cn('grid gap-2', className)}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="mt-1 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{choice.label}</span>
              {choice.hint !== undefined && <span className="block text-sm text-muted">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type CheckboxProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="mt-1 size-4 accent-accent"
      />
      <span>
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}

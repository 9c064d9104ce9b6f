// The field of a model, with the models that can be used now as proposals. Another one of a provider can be typed.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { modelsQuery } from '../../../api/models.ts'
import { Field, Input } from '../../../ui/form/field.tsx'

type Props = {
  readonly value: string
  readonly onChange: (model: string) => void
  readonly hint: ReactNode
  readonly problem: string | undefined
  readonly placeholder?: string | undefined
  readonly required?: boolean
}

export function ModelField({ value, onChange, hint, problem, placeholder, required = false }: Props) {
  const list = useId()
  const { data: models = [] } = useQuery(modelsQuery)
  return (
    <Field label="Model" hint={hint} problem={problem}>
      <Input
        list={list}
        required={required}
        spellCheck={false}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {models.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </datalist>
    </Field>
  )
}

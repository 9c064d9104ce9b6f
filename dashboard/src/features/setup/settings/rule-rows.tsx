// Rows of a kind and a path: rules that are added and removed one by one.

import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'

export type Rule<Kind extends string> = { readonly kind: Kind; readonly path: string }

type Props<Kind extends string> = {
  readonly legend: string
  readonly hint: string
  readonly problem: string | undefined
  readonly rules: readonly Rule<Kind>[]
  readonly onChange: (rules: readonly Rule<Kind>[]) => void
  readonly kinds: Readonly<Record<Kind, string>>
  /** The name of the kind for screen readers, such as `Kind of site`. */
  readonly kindName: string
  readonly pathName: string
  readonly example: string
  readonly add: string
}

export function RuleRows<Kind extends string>(props: Props<Kind>) {
  const { legend, hint, problem, rules, onChange, kinds, kindName, pathName, example, add } = props
  const id = useId()
  const names = Object.keys(kinds) as Kind[]
  const options = names.map((value) => ({ value, label: kinds[value] }))
  const replace = (at: number, change: Partial<Rule<Kind>>) =>
    onChange(rules.map((rule, index) => (index === at ? { ...rule, ...change } : rule)))
  const [first] = names
  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      {rules.length > 0 && (
        <ul aria-label={legend} className="flex flex-col gap-2">
          {rules.map(({ kind, path }, at) => (
            // eslint-disable-next-line no-array-index-key -- rows have no name, and two may be the same
            <li key={at} className="flex flex-wrap items-center gap-2">
              <Select
                name={`${kindName} ${at + 1}`}
                value={kind}
                options={options}
                onChange={(chosen) => replace(at, { kind: chosen })}
                className="w-56 max-sm:w-full"
              />
              <Input
                required
                aria-label={`${pathName} ${at + 1}`}
                maxLength={500}
                spellCheck={false}
                placeholder={example}
                value={path}
                onChange={(event) => replace(at, { path: event.currentTarget.value })}
                className="min-w-0 flex-1 basis-40 font-mono text-sm"
              />
              <Button
                size="small"
                aria-label={`Remove row ${at + 1} of ${legend}`}
                onClick={() => onChange(rules.filter((_, index) => index !== at))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      )}
      {first !== undefined && (
        <Button size="small" className="w-fit" onClick={() => onChange([...rules, { kind: first, path: '' }])}>
          {add}
        </Button>
      )}
    </fieldset>
  )
}

// Several of a few names, each with a box to tick.

import { Checkbox } from './choice.tsx'

type Props = {
  readonly legend: string
  readonly hint: string
  readonly names: readonly string[]
  /** Default: the names. */
  readonly labels?: Readonly<Record<string, string>>
  readonly chosen: ReadonlySet<string>
  /** In alphabetical order. */
  readonly onChange: (chosen: string[]) => void
}

export function Checklist({ legend, hint, names, labels, chosen, onChange }: Props) {
  const toggle = (name: string, isChosen: boolean) => {
    const others = [...chosen].filter((one) => one !== name)
    onChange(isChosen ? [...others, name].toSorted() : others)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={labels?.[name] ?? name}
            checked={chosen.has(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          />
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">{hint}</p>
    </fieldset>
  )
}

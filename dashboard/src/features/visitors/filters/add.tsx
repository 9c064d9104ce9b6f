// A form that adds a filter: which one, is or is not, and the value, chosen where there are few.

import { type FormEvent, useState } from 'react'
import type { FilterName, Filters, Reader } from '../../../api/visitors.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { inputStyle } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { Sites } from './chip-text.ts'
import { filterChoices, filterLabels, isValue, namesFor, plus, type Wanted } from './filters.ts'

type Props = {
  readonly reader: Reader
  readonly filters: Filters
  readonly sites: Sites
  readonly onAdd: (wanted: Wanted) => void
}

const kinds = [
  { value: 'is', label: 'is' },
  { value: 'not', label: 'is not' },
] as const

const hints: Partial<Readonly<Record<FilterName, string>>> = {
  section: '/guides',
  path: '/guides/install',
  agent: 'ChatGPT-User',
  operator: 'OpenAI',
  referrer: 'google.com',
  country: 'DE',
  language: 'de',
  browser: 'Firefox',
  os: 'Windows',
  campaign: 'utm_source=newsletter',
}

export function AddFilter({ reader, filters, sites, onAdd }: Props) {
  const [name, setName] = useState<FilterName>('section')
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('is')
  const [typed, setTyped] = useState('')
  // Shared links may not read the names of sites.
  const names = namesFor(reader).filter((one) => one !== 'segment' && (one !== 'site' || sites.length > 1))
  const choices = name === 'site' ? sites : filterChoices[name]
  const isPath = name === 'section' || name === 'path'
  const value = choices === undefined ? (isPath ? asPath(typed) : typed.trim()) : typed || (choices[0]?.value ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = kind === 'not' ? `!${value}` : value
    if (isValue(name, wanted)) onAdd(plus(filters, name, wanted))
  }
  return (
    <form aria-label="Add a filter" onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <Select
        name="Filter by"
        size="small"
        className="w-32"
        value={name}
        options={names.map((one) => ({ value: one, label: filterLabels[one] }))}
        onChange={(chosen) => {
          setName(chosen)
          setTyped('')
        }}
      />
      <Select name="Condition" size="small" className="w-24" value={kind} options={kinds} onChange={setKind} />
      {choices === undefined ? (
        <input
          required
          aria-label="Value"
          placeholder={hints[name]}
          value={typed}
          maxLength={2_000}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          className={cn(inputStyle, 'h-7 w-56 min-w-0 py-0 text-sm')}
        />
      ) : (
        <Select name="Value" size="small" className="w-44" value={value} options={choices} onChange={setTyped} />
      )}
      <Button type="submit" size="small">
        Add
      </Button>
    </form>
  )
}

/** `guides/` and `/guides` mean the same; so does a whole address. */
function asPath(typed: string): string {
  const text = (/^https?:/.test(typed.trim()) && URL.parse(typed.trim())?.pathname) || typed.trim()
  return text === '' || text.startsWith('/') ? text : `/${text}`
}

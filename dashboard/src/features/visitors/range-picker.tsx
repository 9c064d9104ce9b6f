// Chooses the range: a preset, or two days.

import { useNavigate } from '@tanstack/react-router'
import { Select } from '../../ui/select.tsx'
import { inputStyle } from '../../ui/field.tsx'
import { addDays, type Preset, type Range, type RangeSearch } from './range.ts'

const options: readonly { readonly value: Preset | 'custom'; readonly label: string }[] = [
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '12m', label: 'Last 12 months' },
  { value: 'custom', label: 'Custom' },
]

export function RangePicker({ search, range }: { readonly search: RangeSearch; readonly range: Range }) {
  const navigate = useNavigate()
  const isCustom = search.from !== undefined
  const go = (next: RangeSearch) =>
    navigate({ to: '.', search: ({ list }) => (list === undefined ? next : { ...next, list }), replace: true })
  const [first, last] = [range.dateFrom, addDays(range.dateTo, -1)]
  return (
    <>
      <Select
        name="Range"
        value={isCustom ? 'custom' : (search.range ?? '30d')}
        options={options}
        onChange={(value) => void go(value === 'custom' ? { from: first, to: last } : { range: value })}
        className="w-44"
      />
      {isCustom && (
        <>
          <Day name="First day" value={first} max={last} onChange={(from) => void go({ from, to: last })} />
          <Day name="Last day" value={last} min={first} onChange={(to) => void go({ from: first, to })} />
        </>
      )}
    </>
  )
}

type DayProps = {
  readonly name: string
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onChange: (value: string) => void
}

function Day({ name, onChange, ...props }: DayProps) {
  return (
    <input
      type="date"
      aria-label={name}
      {...props}
      onChange={(event) => event.currentTarget.value !== '' && onChange(event.currentTarget.value)}
      className={`${inputStyle} h-9 w-40`}
    />
  )
}

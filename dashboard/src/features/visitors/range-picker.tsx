// Chooses the range: a preset, or two days between the first one kept and today.

import { cn } from '../../ui/cn.ts'
import { inputStyle } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { View } from './address.ts'
import { addDays, type Days, fallbackPreset, type Preset, type Range } from './range.ts'
import type { ChangeView } from './use-view.ts'

const labels: Readonly<Record<Preset, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  month: 'This month',
  'last-month': 'Last month',
  all: 'All time',
}
const options: readonly { readonly value: Preset | 'custom'; readonly label: string }[] = [
  ...Object.entries(labels).map(([value, label]) => ({ value: value as Preset, label })),
  { value: 'custom', label: 'Custom' },
]

type Props = { readonly view: View; readonly change: ChangeView; readonly range: Range; readonly days: Days }

export function RangePicker({ view, change, range, days }: Props) {
  const [first, last] = [range.dateFrom, addDays(range.dateTo, -1)]
  const set = (from: string, to: string) => change({ range: undefined, from, to })
  return (
    <>
      <Select
        name="Range"
        value={view.from === undefined ? (view.range ?? fallbackPreset) : 'custom'}
        options={options}
        onChange={(value) =>
          value === 'custom' ? set(first, last) : change({ range: value, from: undefined, to: undefined })
        }
        className="w-44"
      />
      {view.from !== undefined && (
        <div className="flex min-w-0 items-center gap-1.5">
          <Day name="First day" value={first} min={days.firstDay} max={last} onChange={(from) => set(from, last)} />
          <span aria-hidden>–</span>
          <Day name="Last day" value={last} min={first} max={days.today} onChange={(to) => set(first, to)} />
        </div>
      )}
    </>
  )
}

type DayProps = {
  readonly name: string
  readonly value: string
  readonly min: string
  readonly max: string
  readonly onChange: (value: string) => void
}

/** A day that is being typed is in no order yet: only one inside the bounds counts. */
function Day({ name, value, min, max, onChange }: DayProps) {
  return (
    <input
      key={value}
      type="date"
      aria-label={name}
      defaultValue={value}
      min={min}
      max={max}
      onChange={({ currentTarget: { value: day, validity } }) => day !== '' && validity.valid && onChange(day)}
      className={cn(inputStyle, 'h-9 w-36 px-2')}
    />
  )
}

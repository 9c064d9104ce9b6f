// The choice of the period to compare with, and the sentence that says which days it has.

import { Select } from '../../../ui/form/select.tsx'
import { formatDay, formatRange } from '../format.ts'
import type { ChangeView } from '../use-view.ts'
import type { Compare } from './comparison.ts'
import type { Compared } from './use-comparison.ts'

const names: Readonly<Record<Compare, string>> = { earlier: 'Earlier period', year: 'The year before' }
const options: readonly { readonly value: Compare | 'off'; readonly label: string }[] = [
  { value: 'off', label: 'Not compared' },
  { value: 'earlier', label: names.earlier },
  { value: 'year', label: names.year },
]

type Props = { readonly compare: Compare | undefined; readonly change: ChangeView }

export function CompareChoice({ compare, change }: Props) {
  return (
    <Select
      name="Compare with"
      value={compare ?? 'off'}
      options={options}
      onChange={(value) => change({ compare: value === 'off' ? undefined : value })}
      size="small"
      className="w-40"
    />
  )
}

export function ComparedDays({ compared }: { readonly compared: Compared }) {
  const { compare, range, since, error } = compared
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-1.5 text-sm" role="status">
      <span aria-hidden className="inline-block w-5 border-t-2 border-text" /> {names[compare]}, {formatRange(range)}.
      {since !== undefined && ` Page views are known since ${formatDay(since)}: intervals before have nothing to show.`}
      {error !== null && ' It could not be read.'}
    </p>
  )
}

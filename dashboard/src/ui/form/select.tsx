// A choice among few values: the browser's own list, which every keyboard, phone and screen reader knows. One of Base UI
// would be 40 kB on each page that has a choice.

import { cn } from '../cn.ts'
import { inputStyle, useControl } from './field.tsx'

export type Option<Value extends string> = { readonly value: Value; readonly label: string; readonly hint?: string }

type Props<Value extends string> = {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly Option<Value>[]
  /** The name for screen readers where no label is beside it. */
  readonly name?: string
  readonly className?: string
  readonly disabled?: boolean
  readonly size?: 'normal' | 'small'
}

export function Select<Value extends string>(props: Props<Value>) {
  const { value, onChange, options, name, className, disabled, size = 'normal' } = props
  const control = useControl()
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen)
    if (option) onChange(option.value)
  }
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select
        {...control}
        aria-label={control.id === undefined ? name : undefined}
        value={value}
        disabled={disabled}
        onChange={(event) => choose(event.currentTarget.value)}
        className={cn(
          inputStyle,
          'cursor-pointer appearance-none truncate py-0 pr-8 disabled:cursor-default disabled:opacity-60',
          size === 'small' ? 'h-7 px-2.5 text-sm' : 'h-9',
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised text-text">
            {option.hint === undefined ? option.label : `${option.label}: ${option.hint}`}
          </option>
        ))}
      </select>
      <span aria-hidden className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted">
        ▾
      </span>
    </span>
  )
}

// A choice among few values.

import { Select as Base } from '@base-ui/react/select'
import { cn } from './cn.ts'
import { inputStyle } from './field.tsx'

export type Option<Value extends string> = { readonly value: Value; readonly label: string; readonly hint?: string }

type Props<Value extends string> = {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: readonly Option<Value>[]
  /** The name for screen readers where no label is beside it. */
  readonly name?: string
  readonly className?: string
}

export function Select<Value extends string>({ value, onChange, options, name, className }: Props<Value>) {
  const items = options.map(({ value: key, label }) => ({ value: key, label }))
  return (
    <Base.Root items={items} value={value} onValueChange={(chosen) => chosen !== null && onChange(chosen)}>
      <Base.Trigger
        aria-label={name}
        className={cn(inputStyle, 'flex h-9 items-center justify-between gap-2', className)}
      >
        <Base.Value />
        <Base.Icon aria-hidden className="text-muted">
          ▾
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="max-h-80 min-w-(--anchor-width) overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-lg">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="cursor-default rounded px-2.5 py-1.5 data-highlighted:bg-accent-soft"
              >
                <Base.ItemText>{option.label}</Base.ItemText>
                {option.hint !== undefined && <span className="block text-sm text-muted">{option.hint}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

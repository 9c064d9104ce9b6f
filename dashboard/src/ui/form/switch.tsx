// Turns something on and off at once, without a form.

import { cn } from '../cn.ts'

type Props = {
  /** The name for screen readers. */
  readonly label: string
  readonly checked: boolean
  readonly busy?: boolean
  readonly onChange: (checked: boolean) => void
}

export function Switch({ label, checked, busy = false, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      aria-busy={busy || undefined}
      onClick={() => !busy && onChange(!checked)}
      className={cn(
        'inline-flex h-6 w-10 shrink-0 cursor-pointer items-center rounded-full border px-0.5',
        checked ? 'justify-end border-accent bg-accent' : 'justify-start border-strong-line bg-sunken',
        busy && 'cursor-progress opacity-70',
      )}
    >
      <span aria-hidden className={cn('size-4.5 rounded-full', checked ? 'bg-on-accent' : 'bg-muted')} />
    </button>
  )
}

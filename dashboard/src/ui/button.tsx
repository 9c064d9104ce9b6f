// Buttons, and links that look like them.

import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

export const buttonStyle = cva(
  'inline-flex cursor-pointer items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap disabled:cursor-default disabled:opacity-60',
  {
    variants: {
      kind: {
        primary: 'border-transparent bg-accent text-on-accent hover:brightness-110',
        plain: 'border-line bg-raised text-text hover:bg-sunken',
        quiet: 'border-transparent bg-transparent text-text hover:bg-sunken',
        danger: 'border-transparent bg-bad text-ground hover:brightness-110',
      },
      size: { normal: 'h-9 px-3.5', small: 'h-7 px-2.5 text-sm', icon: 'size-8' },
    },
    defaultVariants: { kind: 'plain', size: 'normal' },
  },
)

type Props = ComponentProps<'button'> & VariantProps<typeof buttonStyle> & { readonly busy?: boolean }

/** `busy`: its request is under way. It keeps its size and the focus, and submits no form, also for the Enter key. */
export function Button({ kind, size, busy = false, className, disabled, children, ...props }: Props) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : props.onClick}
      className={cn(buttonStyle({ kind, size }), busy && 'cursor-progress opacity-70', className)}
    >
      {children}
    </button>
  )
}

// A labelled field of a form: its label, what it is for, and what is wrong with it.

import { Field as Base } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

export const inputStyle =
  'w-full rounded-md border border-strong-line bg-raised px-3 py-1.5 text-text placeholder:text-muted aria-invalid:border-bad'

type Props = {
  readonly label: string
  readonly hint?: ReactNode
  /** The service says why the value is wrong. */
  readonly problem?: string | undefined
  readonly children: ReactNode
}

export function Field({ label, hint, problem, children }: Props) {
  return (
    <Base.Root invalid={problem !== undefined} className="flex flex-col gap-1">
      <Base.Label className="text-sm font-medium">{label}</Base.Label>
      {children}
      {hint !== undefined && <Base.Description className="text-sm text-muted">{hint}</Base.Description>}
      <Base.Error match={problem !== undefined} className="text-sm text-bad">
        {problem}
      </Base.Error>
    </Base.Root>
  )
}

export function Input({ className, ...props }: ComponentProps<typeof Base.Control>) {
  return <Base.Control {...props} className={cn(inputStyle, 'h-9', typeof className === 'string' && className)} />
}

export function TextArea({ className, ...props }: ComponentProps<'textarea'>) {
  return <Base.Control render={<textarea {...props} className={cn(inputStyle, 'min-h-24', className)} />} />
}

// A labelled field of a form: its label, what it is for, and what is wrong with it. The control inside gets its id and
// names from here.

import { type ComponentProps, createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { cn } from '../cn.ts'

export const inputStyle =
  'w-full rounded-md border border-strong-line bg-raised px-3 py-1.5 text-text placeholder:text-muted aria-invalid:border-bad disabled:opacity-60'

type Props = {
  readonly label: string
  readonly hint?: ReactNode
  /** The service says why the value is wrong. */
  readonly problem?: string | undefined
  readonly children: ReactNode
}

type ControlProps = Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>

const Control = createContext<ControlProps>({})

/** For a control of one's own in a `Field`. */
export function useControl(): ControlProps {
  return useContext(Control)
}

export function Field({ label, hint, problem, children }: Props) {
  const id = useId()
  const hasHint = hint !== undefined
  const hasProblem = problem !== undefined
  const control = useMemo(() => controlOf(id, hasHint, hasProblem), [id, hasHint, hasProblem])
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Control value={control}>{children}</Control>
      {hasHint && (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      )}
      {hasProblem && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}

function controlOf(id: string, hasHint: boolean, hasProblem: boolean): ControlProps {
  const described = [hasHint && `${id}-hint`, hasProblem && `${id}-problem`].filter((one) => one !== false)
  return {
    id,
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(hasProblem && { 'aria-invalid': true }),
  }
}

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...useControl()} {...props} className={cn(inputStyle, 'h-9', className)} />
}

export function TextArea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea {...useControl()} {...props} className={cn(inputStyle, 'min-h-24', className)} />
}

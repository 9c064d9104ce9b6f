// Shown instead of the content of a page: there is no content yet, or it cannot be shown, and what to do next.

import type { ReactNode } from 'react'
import { Problem } from '../api/problem.ts'
import { Button } from './button.tsx'

type EmptyProps = { readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode }

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-6 py-12 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}

type RefusedProps = {
  readonly error: unknown
  readonly retry?: () => void
  /** Says what failed when it was not the service. */
  readonly what?: string
  /** The next step, where the page knows more than the service. */
  readonly children?: ReactNode
}

/** Names the request, so that the operator finds it in the log. */
export function Refused({ error, retry, what = 'Something went wrong on this page.', children }: RefusedProps) {
  const problem = error instanceof Problem ? error : undefined
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
      <p className="font-medium text-bad">{problem?.message ?? what}</p>
      {children}
      {problem?.requestId !== undefined && <p className="mt-1 text-sm text-muted">Request {problem.requestId}</p>}
      {retry && (
        <Button size="small" className="mt-3" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

export function Skeleton({ className = 'h-4 w-full' }: { readonly className?: string }) {
  return <div aria-hidden className={`animate-pulse rounded bg-sunken ${className}`} />
}

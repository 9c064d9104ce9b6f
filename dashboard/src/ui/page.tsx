// The head of a page: its title, one sentence about it, and what can be done. A part of a page that may fail alone.

import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Problem } from '../api/problem.ts'
import { cn } from './cn.ts'
import { Refused } from './notice.tsx'

type Props = { readonly title: string; readonly about?: ReactNode; readonly actions?: ReactNode }

/** The name of the project around a page; undefined outside of projects. */
export const Within = createContext<string | undefined>(undefined)

/** Names the tab of the browser, with the project. */
export function useTitle(title: string): void {
  const project = useContext(Within)
  useEffect(() => {
    document.title = [title, project, 'Docent'].filter((part) => part !== undefined).join(' · ')
  }, [title, project])
}

/** Also the title of the tab. The frame moves the focus to the heading when another page is opened. */
export function PageHead({ title, about, actions }: Props) {
  useTitle(title)
  return (
    <div
      className={cn('mb-5 flex flex-wrap justify-between gap-3', about === undefined ? 'items-center' : 'items-start')}
    >
      <div className={cn('min-w-0 flex-1', about === undefined ? 'basis-40' : 'basis-64')}>
        <h1 tabIndex={-1} className="text-xl font-semibold outline-none">
          {title}
        </h1>
        {about !== undefined && <div className="mt-1 max-w-prose text-muted">{about}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

type PartProps = {
  /** Another value renders the part again after an error. */
  readonly of?: string
  readonly children: ReactNode
}

/** When it fails, its error is shown in its place, and the rest of the page stays. */
export function Part({ of = '', children }: PartProps) {
  return (
    <CatchBoundary getResetKey={() => of} errorComponent={PartFailure}>
      {children}
    </CatchBoundary>
  )
}

/** A refusal of the API that a part throws is about the page: there is no such job. */
function PartFailure({ error, reset }: ErrorComponentProps) {
  if (error instanceof Problem) throw error
  return <Refused error={error} retry={reset} what="Something went wrong in this part of the page." />
}

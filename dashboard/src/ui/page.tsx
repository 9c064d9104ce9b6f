// The head of a page: its title, one sentence about it, and what can be done.

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { cn } from './cn.ts'

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

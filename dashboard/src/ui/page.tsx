// The head of a page: its title, one sentence about it, and what can be done.

import { type ReactNode, useEffect } from 'react'

type Props = { readonly title: string; readonly about?: ReactNode; readonly actions?: ReactNode }

/** Also the title of the tab. */
export function PageHead({ title, about, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold break-words">{title}</h1>
        {about !== undefined && <div className="mt-1 max-w-prose text-muted">{about}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

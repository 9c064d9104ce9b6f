// A link to another site, in a new tab, which learns nothing of the page.

import type { ReactNode } from 'react'

type Props = { readonly href: string; readonly children: ReactNode }

export function ExternalLink({ href, children }: Props) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

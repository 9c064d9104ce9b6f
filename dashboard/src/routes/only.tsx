// A page for people with a role. Others read at once that it is not theirs, in the frame that they came from.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { may, type Role, sessionQuery } from '../api/people/session.ts'
import { buttonStyle } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'
import { PageHead } from '../ui/page.tsx'

export type OnlyProps = { readonly role: Exclude<Role, 'viewer'>; readonly title: string }

const people = { admin: 'admins', editor: 'editors and admins' } as const

export function Only({ role, title, children }: OnlyProps & { readonly children: ReactNode }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  // When a session ends, the page stays behind the form that asks for the password.
  if (session.person === null || may(session, role)) return children
  const home = (
    <Link to="/" className={buttonStyle()}>
      Go to the start
    </Link>
  )
  return (
    <>
      <PageHead title={title} />
      <Empty title={`This page is for ${people[role]}`} action={home}>
        Ask an admin to make you one, or to do it for you.
      </Empty>
    </>
  )
}

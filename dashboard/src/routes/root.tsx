// The frame of every page: its title, and what it shows when an address is unknown.

import { Link, Outlet } from '@tanstack/react-router'
import { buttonStyle } from '../ui/button.tsx'
import { Empty } from '../ui/notice.tsx'

export function Root() {
  return <Outlet />
}

export function Missing() {
  return (
    <main className="mx-auto max-w-xl p-6">
      <Empty
        title="There is nothing at this address"
        action={
          <Link to="/" className={buttonStyle({ kind: 'primary' })}>
            Go to the start
          </Link>
        }
      >
        It may have been deleted, or the link is wrong.
      </Empty>
    </main>
  )
}

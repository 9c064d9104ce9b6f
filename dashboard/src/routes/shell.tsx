// The frame of every page of a person who is signed in: navigation, the account, and a way past both by keyboard.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { queries } from '../api/queries.ts'
import { may, type Role, sessionQuery, signOut } from '../api/session.ts'
import { setTheme, themes } from '../theme.ts'
import { Menu } from '../ui/menu.tsx'

type Entry = { readonly to: '/' | '/people' | '/keys' | '/audit'; readonly label: string; readonly role: Role }

const entries: readonly Entry[] = [
  { to: '/', label: 'Home', role: 'viewer' },
  { to: '/keys', label: 'API keys', role: 'admin' },
  { to: '/people', label: 'People', role: 'admin' },
  { to: '/audit', label: 'Audit log', role: 'admin' },
]

export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const router = useRouter()
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere)
    queries.clear()
    await router.navigate({ to: '/sign-in' })
  }
  return (
    <div className="min-h-dvh">
      <a href="#main" className="sr-only bg-raised p-2 focus:not-sr-only focus:absolute focus:z-50">
        Skip to the content
      </a>
      <header className="flex flex-wrap items-center gap-x-5 gap-y-1 border-b border-line px-4 py-2">
        <Link to="/" className="font-semibold">
          Docent
        </Link>
        <nav aria-label="Main" className="flex flex-wrap gap-x-4">
          {entries
            .filter(({ role }) => may(session, role))
            .map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/' }}
                className="py-1 text-muted hover:text-text aria-[current=page]:text-text"
              >
                {label}
              </Link>
            ))}
        </nav>
        <div className="ml-auto">
          <Menu
            label={`Account: ${session.person?.name ?? ''}`}
            items={[
              ...themes.map((theme) => ({ label: `Theme: ${theme}`, onSelect: () => setTheme(theme) })),
              { label: 'Sign out', onSelect: () => void leave(false) },
              { label: 'Sign out everywhere', onSelect: () => void leave(true) },
            ]}
          >
            {session.person?.name ?? 'Account'}
          </Menu>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none">
        <Outlet />
      </main>
    </div>
  )
}

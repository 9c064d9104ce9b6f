// The frame of every page of a person who is signed in: navigation, the account, and a way past both by keyboard.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import icon from '../icon.svg'
import { may, type Role, type Session, sessionQuery } from '../api/people/session.ts'
import { loadPart } from '../load-part.ts'
import { MenuButton } from '../ui/overlay/menu-button.tsx'
import { PageLoading } from './root.tsx'

type Entry = {
  readonly to: '/' | '/models' | '/github-apps' | '/people' | '/keys' | '/audit'
  readonly label: string
  readonly role: Role
}

const entries: readonly Entry[] = [
  { to: '/', label: 'Home', role: 'viewer' },
  { to: '/models', label: 'Models', role: 'admin' },
  { to: '/github-apps', label: 'GitHub Apps', role: 'admin' },
  { to: '/keys', label: 'API keys', role: 'admin' },
  { to: '/people', label: 'People', role: 'admin' },
  { to: '/audit', label: 'Audit log', role: 'admin' },
]

const loadMenu = () => loadPart(() => import('./account-menu.tsx'))
const AccountMenu = lazy(async () => ({ default: (await loadMenu()).AccountMenu }))
const SignInAgain = lazy(async () => ({
  default: (await loadPart(() => import('./sign-in-again.tsx'))).SignInAgain,
}))

export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  return (
    <div className="min-h-dvh">
      <a
        href="#main"
        className="sr-only rounded-md bg-raised px-3 py-2 shadow-lg focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to the content
      </a>
      <Header session={session} />
      <main id="main" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none">
        <Outlet />
      </main>
      {session.person === null && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
    </div>
  )
}

const patienceMs = 2_000

/** Before it is known who asks. A service that takes the request and is silent is named after a few seconds. */
export function ShellLoading() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Top />
      <main className="mx-auto flex max-w-6xl flex-col gap-6 px-4 py-6">
        <p role="status">{isLate && 'Docent has not responded yet. This page waits for it.'}</p>
        <PageLoading />
      </main>
    </>
  )
}

function Top({ children }: { readonly children?: ReactNode }) {
  return (
    <header className="border-b border-line bg-sunken">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 px-4">
        <Link to="/" className="flex items-center gap-2 py-2 font-semibold">
          <img src={icon} alt="" width={20} height={20} />
          Docent
        </Link>
        {children}
      </div>
    </header>
  )
}

/** On narrow screens the navigation is below, on as many lines as it needs. */
function Header({ session }: { readonly session: Session }) {
  const name = session.person?.name ?? ''
  return (
    <Top>
      <nav
        aria-label="Main"
        className="order-last -mx-2 -mb-px flex w-[calc(100%+1rem)] flex-wrap sm:order-none sm:-mx-3 sm:w-auto"
      >
        {entries
          .filter(({ role }) => may(session, role))
          .map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              className="border-y-2 border-transparent px-2 py-2 whitespace-nowrap text-muted hover:text-text aria-[current=page]:border-b-accent sm:px-3 aria-[current=page]:text-text"
            >
              {label}
            </Link>
          ))}
      </nav>
      <div className="-mr-2.5 ml-auto min-w-0">
        <MenuButton label={`Account: ${name}`} menu={AccountMenu} preload={loadMenu}>
          <span className="max-w-40 truncate">{name}</span>
          <span aria-hidden className="text-muted">
            ▾
          </span>
        </MenuButton>
      </div>
    </Top>
  )
}

// Every address of the dashboard, and which file shows it. Pages are loaded when they are opened first.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { queries } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { prefix } from './base.ts'
import { Missing, Root } from './routes/root.tsx'
import { Shell } from './routes/shell.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: Missing })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } =>
    typeof back === 'string' && back.startsWith('/') && !back.startsWith('//') ? { back } : {},
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in.tsx'), 'SignIn'),
})
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('./features/setup/account.tsx'), 'FirstAccount'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./features/sign-in/invitation.tsx'), 'AcceptInvitation'),
})

/** Everything that needs a person. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    if (session.person !== null) return
    // eslint-disable-next-line only-throw-error -- the router's own signal
    throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { back: location.href } })
  },
})
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./features/home/home.tsx'), 'Home'),
})
const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyRouteComponent(() => import('./features/people/people.tsx'), 'People'),
})
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: lazyRouteComponent(() => import('./features/keys/keys.tsx'), 'Keys'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  component: lazyRouteComponent(() => import('./features/audit/audit.tsx'), 'Audit'),
})

const tree = root.addChildren([signIn, setup, invitation, shell.addChildren([home, people, keys, audit])])

export const router = createRouter({ routeTree: tree, basepath: prefix, defaultPreload: 'intent', scrollRestoration: true })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

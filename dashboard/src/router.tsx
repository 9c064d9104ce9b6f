// Every address of the dashboard, and which file shows it. Pages are loaded when they are opened first.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import type { Status } from './api/jobs.ts'
import { projectQuery } from './api/projects.ts'
import { queries } from './api/queries.ts'
import { sessionQuery } from './api/people/session.ts'
import { aboutQuery } from './api/visitors.ts'
import { prefix } from './base.ts'
import { toStep } from './features/setup/first-run/steps.ts'
import { toSection } from './features/setup/settings/sections.ts'
import { readView } from './features/visitors/address.ts'
import { loadPart } from './load-part.ts'
import { readBack, readBrokenPage, readLedgerFilter, readPlace, stringifySearch } from './routes/address.ts'
import { ProjectFrame } from './routes/project.tsx'
import { Missing, MissingPage, PageFailure, PageLoading, Root } from './routes/root.tsx'
import { Only, type OnlyProps } from './routes/only.tsx'
import { Shell, ShellLoading } from './routes/shell.tsx'

/** Loaded when it is opened first. */
function page<Module extends object, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  return lazyRouteComponent(() => loadPart(load), name)
}

/** The same for the people with a role. Others read that at once: the page asks nothing that they may not read. */
function pageOnly<Module extends object>(
  need: OnlyProps,
  load: () => Promise<Module>,
  name: keyof Module,
): RouteComponent {
  const Page: RouteComponent = page(load, name)
  const Guarded = () => (
    <Only {...need}>
      <Page />
    </Only>
  )
  return Object.assign(Guarded, Page.preload && { preload: Page.preload })
}

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readBack,
  component: page(() => import('./features/sign-in/sign-in.tsx'), 'SignIn'),
})
const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: page(() => import('./features/sign-in/first-account.tsx'), 'FirstAccount'),
})
const signInByLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/link',
  component: page(() => import('./features/sign-in/by-link.tsx'), 'SignInByLink'),
})
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: page(() => import('./features/sign-in/by-link.tsx'), 'NewPassword'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: page(() => import('./features/sign-in/invitation.tsx'), 'AcceptInvitation'),
})

/** Visitors without an account: the token is behind the #. */
const shared = createRoute({
  getParentRoute: () => root,
  path: '/shared/$projectId',
  validateSearch: readView,
  component: page(() => import('./features/visitors/sharing/shared.tsx'), 'SharedPage'),
})

/** Everything that needs a person. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  pendingComponent: ShellLoading,
  beforeLoad: async ({ location, cause }) => {
    const session = await queries.ensureQueryData(sessionQuery)
    // When a session ends while the person is inside, the frame asks for the password and keeps the page.
    if (session.person !== null || cause === 'stay') return
    // eslint-disable-next-line only-throw-error -- the router's own signal
    throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { back: location.href } })
  },
})
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: page(() => import('./routes/start.tsx'), 'Start'),
})
const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: pageOnly({ role: 'admin', title: 'People' }, () => import('./features/people/people.tsx'), 'People'),
})
const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: page(() => import('./features/account/account.tsx'), 'Account'),
})
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/keys',
  component: pageOnly({ role: 'admin', title: 'API keys' }, () => import('./features/keys/keys.tsx'), 'Keys'),
})
const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: ({ project, who }: Record<string, unknown>): { project?: string; who?: string } => ({
    ...(typeof project === 'string' ? { project } : {}),
    ...(typeof who === 'string' ? { who } : {}),
  }),
  component: pageOnly({ role: 'admin', title: 'Audit log' }, () => import('./features/audit/audit.tsx'), 'Audit'),
})

const models = createRoute({
  getParentRoute: () => shell,
  path: '/models',
  component: pageOnly({ role: 'admin', title: 'Models' }, () => import('./features/setup/models/models.tsx'), 'Models'),
})
const apps = createRoute({
  getParentRoute: () => shell,
  path: '/github-apps',
  component: pageOnly({ role: 'admin', title: 'GitHub Apps' }, () => import('./features/setup/apps/apps.tsx'), 'Apps'),
})
const newProject = createRoute({
  getParentRoute: () => shell,
  path: '/projects/new',
  component: pageOnly(
    { role: 'admin', title: 'New project' },
    () => import('./features/setup/connect/new-project.tsx'),
    'NewProject',
  ),
})
const project = createRoute({
  getParentRoute: () => shell,
  path: '/projects/$projectId',
  component: ProjectFrame,
  loader: ({ params }) => queries.ensureQueryData(projectQuery(params.projectId)),
})
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/jobs', params })
  },
})
const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  validateSearch: ({ status }: Record<string, unknown>): { status?: Status } => {
    const known = (['active', 'completed', 'failed', 'archived'] as const).find((one) => one === status)
    return known === undefined ? {} : { status: known }
  },
  component: page(() => import('./features/jobs/jobs.tsx'), 'Jobs'),
})
const newJob = createRoute({
  getParentRoute: () => project,
  path: '/jobs/new',
  validateSearch: readBrokenPage,
  component: pageOnly({ role: 'editor', title: 'New job' }, () => import('./features/jobs/new-job.tsx'), 'NewJob'),
})
const job = createRoute({
  getParentRoute: () => project,
  path: '/jobs/$jobId',
  validateSearch: ({
    view,
    at,
  }: Record<string, unknown>): { view?: 'transcript' | 'changes' | 'activity'; at?: string } =>
    view === 'changes' ? { view, ...readPlace(at) } : view === 'activity' ? { view } : {},
  component: page(() => import('./features/job/job.tsx'), 'JobPage'),
})
const pulls = createRoute({
  getParentRoute: () => project,
  path: '/pulls',
  validateSearch: ({ state }: Record<string, unknown>): { state?: 'merged' | 'closed' } =>
    state === 'merged' || state === 'closed' ? { state } : {},
  component: page(() => import('./features/pulls/pulls.tsx'), 'Pulls'),
})
const pull = createRoute({
  getParentRoute: () => project,
  path: '/pulls/$number',
  validateSearch: ({ at }: Record<string, unknown>) => readPlace(at),
  component: page(() => import('./features/pulls/pull.tsx'), 'PullPage'),
})
const automations = createRoute({
  getParentRoute: () => project,
  path: '/automations',
  component: page(() => import('./features/automations/automations.tsx'), 'Automations'),
})
const automation = createRoute({
  getParentRoute: () => project,
  path: '/automations/$automationId',
  component: page(() => import('./features/automations/automation.tsx'), 'AutomationPage'),
})
const ledger = createRoute({
  getParentRoute: () => project,
  path: '/ledger',
  validateSearch: readLedgerFilter,
  component: page(() => import('./features/ledger/ledger.tsx'), 'LedgerPage'),
})
const visitors = createRoute({
  getParentRoute: () => project,
  path: '/visitors',
  validateSearch: readView,
  loader: ({ params: { projectId } }) => void queries.prefetchQuery(aboutQuery({ projectId })),
  component: page(() => import('./features/visitors/visitors.tsx'), 'VisitorsPage'),
})
const importLogs = createRoute({
  getParentRoute: () => project,
  path: '/visitors/import',
  component: page(() => import('./features/import/import.tsx'), 'ImportPage'),
})
/** An unknown address, in the frame of somebody who is signed in. */
const unknown = createRoute({ getParentRoute: () => shell, path: '/$', component: Missing })

const getStarted = createRoute({
  getParentRoute: () => shell,
  path: '/get-started',
  component: pageOnly(
    { role: 'admin', title: 'Get started' },
    () => import('./features/setup/first-run/first-run.tsx'),
    'GetStarted',
  ),
})
const firstRun = createRoute({
  getParentRoute: () => shell,
  path: '/get-started/$step',
  params: { parse: ({ step }) => ({ step: toStep(step) ?? 'project' }), stringify: (params) => params },
  validateSearch: ({ project }: Record<string, unknown>): { project?: string } =>
    typeof project === 'string' ? { project } : {},
  component: pageOnly(
    { role: 'admin', title: 'Get started' },
    () => import('./features/setup/first-run/first-run.tsx'),
    'FirstRun',
  ),
})
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/settings/$section', params: { ...params, section: 'general' } })
  },
})
const settingsSection = createRoute({
  getParentRoute: () => project,
  path: '/settings/$section',
  params: { parse: ({ section }) => ({ section: toSection(section) ?? 'general' }), stringify: (params) => params },
  component: pageOnly(
    { role: 'admin', title: 'Settings' },
    () => import('./features/setup/settings/settings.tsx'),
    'ProjectSettings',
  ),
})

const tree = root.addChildren([
  signIn,
  signInByLink,
  newPassword,
  setup,
  invitation,
  shared,
  shell.addChildren([
    home,
    getStarted,
    firstRun,
    newProject,
    project.addChildren([
      projectHome,
      jobs,
      newJob,
      job,
      pulls,
      pull,
      automations,
      automation,
      ledger,
      visitors,
      importLogs,
      projectSettings,
      settingsSection,
    ]),
    models,
    apps,
    people,
    account,
    keys,
    audit,
    unknown,
  ]),
])

export const router = createRouter({
  routeTree: tree,
  basepath: prefix,
  defaultPreload: 'intent',
  scrollRestoration: true,
  stringifySearch,
  defaultErrorComponent: PageFailure,
  defaultPendingComponent: PageLoading,
  // In a page that is shown already, a skeleton for a blink is worse than the page before.
  defaultPendingMs: 400,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

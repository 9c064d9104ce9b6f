// Signing in and out, the first account, and changes of the password.

import { takeSignInLink } from '../../../people/links.ts'
import { changePassword } from '../../../people/people.ts'
import {
  endSession,
  endSessionOf,
  endSessionsOf,
  listSessions,
  type Session,
  startSession,
} from '../../../people/sessions.ts'
import { isSetupOpen, setUp } from '../../../people/setup.ts'
import { signIn } from '../../../people/sign-in.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { unauthenticated } from '../../request/callers.ts'
import { refusePlain, sessionCookie, transportOf } from '../../request/cookie.ts'
import { refuseForeign } from '../../request/same-origin.ts'
import {
  changePasswordRoute,
  endSessionRoute,
  getSessionRoute,
  listSessionsRoute,
  setUpRoute,
  signInRoute,
  signOutRoute,
  useLinkRoute,
} from './contract.ts'

type Shown = Pick<Session, 'email' | 'name' | 'role' | 'expiresAt'> & { readonly personId: string }

export function addSessionRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  const cookie = sessionCookie(deps)
  const find = (c: AppContext) => findSession(c, deps)
  app.openapi(getSessionRoute, async (c) => c.json(await describe(c, deps, await find(c)), 200))
  app.openapi(signInRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    refusePlain(c, deps)
    const person = await signIn(db, { ...c.req.valid('json'), address: c.get('address') })
    return c.json(await begin(c, deps, { ...person, personId: person.id }), 200)
  })
  app.openapi(signOutRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const session = await find(c)
    cookie.clear(c)
    if (session && c.req.valid('query').everywhere === 'true') await endSessionsOf(db, session.personId)
    else if (session) await endSession(db, session.id)
    return c.body(null, 204)
  })
  app.openapi(setUpRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    refusePlain(c, deps)
    const { token, ...wanted } = c.req.valid('json')
    const person = await setUp(db, token, { ...wanted, address: c.get('address') })
    return c.json(await begin(c, deps, { ...person, personId: person.id }), 201)
  })
  app.openapi(useLinkRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    refusePlain(c, deps)
    const person = await takeSignInLink(db, { ...c.req.valid('json'), address: c.get('address') })
    return c.json(await begin(c, deps, { ...person, personId: person.id }), 200)
  })
  addOwnRoutes(app, deps)
}

/** The operations on the own account. Every role may use them, and no key. */
function addOwnRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(changePasswordRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const session = await needSession(c, deps)
    const { currentPassword: current, password } = c.req.valid('json')
    await changePassword(db, { personId: session.personId, current, password, address: c.get('address') })
    await begin(c, deps, session)
    return c.body(null, 204)
  })
  app.openapi(listSessionsRoute, async (c) => {
    return c.json({ sessions: await listSessions(db, await needSession(c, deps)) }, 200)
  })
  app.openapi(endSessionRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const { personId } = await needSession(c, deps)
    await endSessionOf(db, personId, c.req.valid('param').sessionId)
    return c.body(null, 204)
  })
}

async function needSession(c: AppContext, deps: AppDeps): Promise<Session> {
  const session = await findSession(c, deps)
  if (!session) throw unauthenticated(c, 'Sign in first.')
  return session
}

/** The session of the request's cookie. */
async function findSession(c: AppContext, deps: AppDeps): Promise<Session | undefined> {
  const token = sessionCookie(deps).read(c)
  return token === undefined ? undefined : deps.identifySession(token)
}

/** Starts a session, sets its cookie, and ends the session that this browser had. */
export async function begin(c: AppContext, deps: AppDeps, person: Omit<Shown, 'expiresAt'>) {
  const former = await findSession(c, deps)
  if (former) await endSession(deps.projects.db, former.id)
  const session = await startSession(deps.projects.db, person.personId, c.req.header('User-Agent') ?? '')
  sessionCookie(deps).write(c, session)
  return describe(c, deps, { ...person, expiresAt: session.expiresAt })
}

async function describe(c: AppContext, deps: AppDeps, shown: Shown | undefined) {
  const transport = transportOf(c, deps)
  return {
    person: shown ? { id: shown.personId, email: shown.email, name: shown.name, role: shown.role } : null,
    expiresAt: shown?.expiresAt.toISOString() ?? null,
    setup: shown === undefined && (await isSetupOpen(deps.projects.db)),
    transport,
    signIn: transport !== 'plain' || deps.allowHttpSignIn,
  }
}

// Signing in and out, the first account, and changes of the password.

import { takeSignInLink } from '../../../people/links.ts'
import { changePassword, type Person } from '../../../people/people.ts'
import {
  endSession,
  endSessionOf,
  endSessionsOf,
  listSessions,
  type Session,
  startSession,
} from '../../../people/sessions.ts'
import { isFirstAccountMissing, setUp } from '../../../people/setup.ts'
import { signIn } from '../../../people/sign-in.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { findSession, refusePlain, sessionCookie, transportOf } from '../../request/cookie.ts'
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

type Shown = Pick<Person, 'id' | 'email' | 'name' | 'role'>

export function addSessionRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  const cookie = sessionCookie(deps)
  app.openapi(getSessionRoute, async (c) => {
    const session = await findSession(c, deps)
    const signedIn = session && { person: ownerOf(session), expiresAt: session.expiresAt }
    return c.json(await describe(c, deps, signedIn), 200)
  })
  app.openapi(signInRoute, async (c) => {
    refuseUnsafe(c, deps)
    const person = await signIn(db, { ...c.req.valid('json'), address: c.get('address') })
    return c.json(await begin(c, deps, person), 200)
  })
  app.openapi(signOutRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const session = await findSession(c, deps)
    cookie.clear(c)
    if (session && c.req.valid('query').everywhere === 'true') await endSessionsOf(db, session.personId)
    else if (session) await endSession(db, session.id)
    return c.body(null, 204)
  })
  app.openapi(setUpRoute, async (c) => {
    refuseUnsafe(c, deps)
    const { token, ...wanted } = c.req.valid('json')
    const person = await setUp(db, token, { ...wanted, address: c.get('address') })
    return c.json(await begin(c, deps, person), 201)
  })
  app.openapi(useLinkRoute, async (c) => {
    refuseUnsafe(c, deps)
    const person = await takeSignInLink(db, { ...c.req.valid('json'), address: c.get('address') })
    return c.json(await begin(c, deps, person), 200)
  })
  addOwnRoutes(app, deps)
}

/** The operations on the own account. Every role may use them, and no key. */
function addOwnRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(changePasswordRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const session = c.get('session')
    const { currentPassword: current, password } = c.req.valid('json')
    await changePassword(db, { personId: session.personId, current, password, address: c.get('address') })
    await begin(c, deps, ownerOf(session))
    return c.body(null, 204)
  })
  app.openapi(listSessionsRoute, async (c) => {
    return c.json({ sessions: await listSessions(db, c.get('session')) }, 200)
  })
  app.openapi(endSessionRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const { personId } = c.get('session')
    await endSessionOf(db, personId, c.req.valid('param').sessionId)
    return c.body(null, 204)
  })
}

/** For requests with a password, or with the token of a link. Throws `forbidden` and `sign_in_insecure`. */
export function refuseUnsafe(c: AppContext, deps: AppDeps): void {
  refuseForeign(c, deps.publicUrl)
  refusePlain(c, deps)
}

/** Starts a session, sets its cookie, and ends the session that this browser had. */
export async function begin(c: AppContext, deps: AppDeps, person: Shown) {
  const { db } = deps.projects
  const former = await findSession(c, deps)
  if (former) await endSession(db, former.id)
  const session = await startSession(db, person.id, c.req.header('User-Agent') ?? '')
  sessionCookie(deps).write(c, session)
  return describe(c, deps, { person, expiresAt: session.expiresAt })
}

function ownerOf({ personId, ...rest }: Session): Shown {
  return { ...rest, id: personId }
}

function toShown({ id, email, name, role }: Shown): Shown {
  return { id, email, name, role }
}

type SignedIn = { readonly person: Shown; readonly expiresAt: Date }

async function describe(c: AppContext, deps: AppDeps, signedIn: SignedIn | undefined) {
  const transport = transportOf(c, deps)
  return {
    person: signedIn ? toShown(signedIn.person) : null,
    expiresAt: signedIn?.expiresAt.toISOString() ?? null,
    setup: signedIn === undefined && (await isFirstAccountMissing(deps.projects.db)),
    transport,
    signIn: transport !== 'plain' || deps.allowHttpSignIn,
  }
}

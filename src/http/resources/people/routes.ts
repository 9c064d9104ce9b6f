// People and invitations over HTTP: passes requests on to src/people. Responses with a link are never cached.

import {
  acceptInvitation,
  invite,
  listInvitations,
  readInvitation,
  withdrawInvitation,
} from '../../../people/invitations.ts'
import { changeRole, type Left, listPeople, removePerson } from '../../../people/people.ts'
import { listWorkingKeys } from '../../../projects/keys.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { begin, refuseUnsafe } from '../session/routes.ts'
import {
  acceptInvitationRoute,
  changeRoleRoute,
  invitePersonRoute,
  inviteRoute,
  listInvitationsRoute,
  listPeopleRoute,
  readInvitationRoute,
  removePersonRoute,
  withdrawInvitationRoute,
} from './contract.ts'

export function addPeopleRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(listPeopleRoute, async (c) => c.json({ people: await listPeople(db) }, 200))
  const withKeys = async (c: AppContext, { keyIds, withdrawnInvitations }: Left) => {
    return { keys: await listWorkingKeys(db, c.get('principal'), keyIds), withdrawnInvitations }
  }
  app.openapi(changeRoleRoute, async (c) => {
    const { keyIds, withdrawnInvitations, ...person } = await changeRole(
      db,
      c.req.valid('param').personId,
      c.req.valid('json').role,
    )
    return c.json({ ...person, ...(await withKeys(c, { keyIds, withdrawnInvitations })) }, 200)
  })
  app.openapi(removePersonRoute, async (c) => {
    const left = await withKeys(c, await removePerson(db, c.req.valid('param').personId))
    const isAll = left.keys.length === 0 && left.withdrawnInvitations.length === 0
    return isAll ? c.body(null, 204) : c.json(left, 200)
  })
  addInvitationRoutes(app, deps)
}

function addInvitationRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  const createInvitation = async (c: AppContext, wanted: Pick<Parameters<typeof invite>[1], 'email' | 'role'>) => {
    const { token, ...invitation } = await invite(db, { ...wanted, invitedBy: c.get('principal').name })
    c.set('subject', invitation.id)
    c.header('Cache-Control', 'no-store')
    // After the #: it is in no log of a proxy.
    return { ...invitation, link: `${deps.publicUrl}/invitation#${token}` }
  }
  app.openapi(invitePersonRoute, async (c) => c.json(await createInvitation(c, c.req.valid('json')), 201))
  app.openapi(inviteRoute, async (c) => c.json(await createInvitation(c, c.req.valid('json')), 201))
  app.openapi(listInvitationsRoute, async (c) => c.json({ invitations: await listInvitations(db) }, 200))
  app.openapi(withdrawInvitationRoute, async (c) => {
    await withdrawInvitation(db, c.req.valid('param').invitationId)
    return c.body(null, 204)
  })
  app.openapi(readInvitationRoute, async (c) => c.json(await readInvitation(db, c.req.valid('param').token), 200))
  app.openapi(acceptInvitationRoute, async (c) => {
    refuseUnsafe(c, deps)
    const person = await acceptInvitation(db, {
      ...c.req.valid('param'),
      ...c.req.valid('json'),
      address: c.get('address'),
    })
    return c.json(await begin(c, deps, person), 201)
  })
}

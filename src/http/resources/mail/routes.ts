// The mail settings of the person who is signed in: passes requests on to src/notifications/mail.

import { readMailFailure, readMailSettings, saveMailSettings } from '../../../notifications/mail/settings.ts'
import type { App, AppDeps } from '../../context.ts'
import { refuseForeign } from '../../request/same-origin.ts'
import { getMailRoute, putMailRoute, type ShownMail } from './contract.ts'

export function addMailRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  const show = async (personId: string): Promise<ShownMail> => ({
    ...(await readMailSettings(db, personId)),
    problem: deps.mailProblem,
    lastFailure: await readMailFailure(db, personId),
  })
  app.openapi(getMailRoute, async (c) => c.json(await show(c.get('session').personId), 200))
  app.openapi(putMailRoute, async (c) => {
    refuseForeign(c, deps.publicUrl)
    const { personId } = c.get('session')
    await saveMailSettings(db, personId, c.req.valid('json'))
    return c.json(await show(personId), 200)
  })
}

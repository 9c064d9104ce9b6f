// Serves the operations that only the command line on the same machine can request, through the socket in the data
// directory. For all other callers these paths do not exist, and the OpenAPI document does not name them.

import { z } from '@hono/zod-openapi'
import { Failure } from '../../lib/failure.ts'
import { signInPurposes } from '../../people/links.ts'
import { operator } from '../../projects/keys.ts'
import { type App, type AppContext, type AppDeps, bindingsOf } from '../context.ts'

const linkRequest = z.object({ email: z.string(), purpose: z.enum(signInPurposes) })
const notKept = { 'Cache-Control': 'no-store' }

export function addLocalRoutes(app: App, { local }: AppDeps): void {
  if (!local) return
  app.get('/local/status', async (c) => {
    refuseStrangers(c)
    return c.json(await local.status(), 200)
  })
  app.post('/local/accept-clock', async (c) => {
    refuseStrangers(c)
    await local.acceptClock()
    return c.body(null, 204)
  })
  app.post('/local/rotate-secrets', async (c) => {
    refuseStrangers(c)
    return c.json(await local.rotateSecrets(), 200)
  })
  app.post('/local/setup-link', async (c) => {
    refuseStrangers(c)
    return c.json({ link: await local.setupLink() }, 201, notKept)
  })
  app.post('/local/sign-in-link', async (c) => {
    refuseStrangers(c)
    const { email, purpose } = linkRequest.parse(await c.req.json())
    return c.json({ link: await local.signInLink(email, purpose) }, 201, notKept)
  })
  app.get('/local/backup', async (c) => {
    refuseStrangers(c)
    const headers = { 'Content-Type': 'application/x-tar' }
    // A HEAD would start a backup that no reader ends, and only one backup can run at a time.
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    const bytes = await local.backup()
    return bytes === undefined ? c.body(null, 204) : c.body(bytes, 200, headers)
  })
}

function refuseStrangers(c: AppContext): void {
  if (bindingsOf(c).principal !== operator) throw new Failure('not_found', 'There is nothing at this address.')
}

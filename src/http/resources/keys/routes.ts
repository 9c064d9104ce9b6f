// Keys over HTTP: passes requests on to src/projects. Responses with a key are never cached.

import { createKey, listKeys, revokeKey } from '../../../projects/keys.ts'
import { rotateKey } from '../../../projects/rotate.ts'
import type { App, AppDeps } from '../../context.ts'
import { createKeyRoute, listKeysRoute, revokeKeyRoute, rotateKeyRoute } from './contract.ts'

export function addKeyRoutes(app: App, deps: AppDeps): void {
  const { db } = deps.projects
  app.openapi(listKeysRoute, async (c) => c.json({ keys: await listKeys(db, c.get('principal')) }, 200))
  app.openapi(createKeyRoute, async (c) => {
    const created = await createKey(db, c.get('principal'), c.req.valid('json'))
    c.set('subject', created.id)
    c.header('Cache-Control', 'no-store')
    return c.json(created, 201)
  })
  app.openapi(rotateKeyRoute, async (c) => {
    const rotation = { ...c.req.valid('param'), ...c.req.valid('json') }
    const created = await rotateKey(db, c.get('principal'), { expiresAt: undefined, ...rotation })
    c.header('Cache-Control', 'no-store')
    return c.json(created, 201)
  })
  app.openapi(revokeKeyRoute, async (c) => {
    await revokeKey(db, c.get('principal'), c.req.valid('param').keyId)
    return c.body(null, 204)
  })
}

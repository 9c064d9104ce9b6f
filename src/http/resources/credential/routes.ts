// The credential of a project over HTTP: passes requests on to src/projects.

import { examineAccess, reportCredential } from '../../../projects/access/access.ts'
import { enterCredential } from '../../../projects/access/enter.ts'
import { proveAccess } from '../../../projects/access/prove.ts'
import { deleteCredential, noCredential } from '../../../projects/credentials.ts'
import type { App, AppDeps } from '../../context.ts'
import { deleteSigningKey, makeSigningKey, proveSigningKey } from '../../../projects/signing-keys.ts'
import {
  checkCredentialRoute,
  deleteCredentialRoute,
  deleteSigningKeyRoute,
  getCredentialRoute,
  proveSigningKeyRoute,
  putCredentialRoute,
  putSigningKeyRoute,
} from './contract.ts'

export function addCredentialRoutes(app: App, { access }: AppDeps): void {
  const report = async (projectId: string) => {
    const found = await reportCredential(access, projectId)
    if (!found) throw noCredential(projectId)
    return found
  }
  app.openapi(getCredentialRoute, async (c) => c.json(await report(c.get('project').id), 200))
  app.openapi(putCredentialRoute, async (c) => {
    const { id } = c.get('project')
    const { signal } = c.req.raw
    await enterCredential(access, id, c.req.valid('json'), signal)
    await examineAccess(access, id, signal)
    return c.json(await report(id), 200)
  })
  app.openapi(deleteCredentialRoute, async (c) => {
    await deleteCredential(access.db, c.get('project').id)
    return c.body(null, 204)
  })
  app.openapi(putSigningKeyRoute, async (c) => {
    const { id } = c.get('project')
    await makeSigningKey(access, id)
    return c.json(await report(id), 200)
  })
  app.openapi(proveSigningKeyRoute, async (c) => {
    const signature = await proveSigningKey(access, c.get('project').id, c.req.valid('json').text)
    return c.json({ signature }, 200)
  })
  app.openapi(deleteSigningKeyRoute, async (c) => {
    await deleteSigningKey(access.db, c.get('project').id)
    return c.body(null, 204)
  })
  app.openapi(checkCredentialRoute, async (c) => {
    const { id } = c.get('project')
    const { signal } = c.req.raw
    const found = await examineAccess(access, id, signal)
    const steps = c.req.valid('json').write === true ? await proveAccess(access, id, signal) : null
    return c.json({ ...found, steps }, 200)
  })
}

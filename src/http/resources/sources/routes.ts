// Sources over HTTP: passes requests on to src/projects, and refuses what a key for certain projects may not do. Repositories
// that the service can read, but that key cannot, must not become readable through a source.

import { reportCredential } from '../../../projects/access/access.ts'
import { enterCredential } from '../../../projects/access/enter.ts'
import { deleteCredential, noCredential, readCredential } from '../../../projects/credentials.ts'
import { mayUse, requireReach } from '../../../projects/keys.ts'
import { originOf } from '../../../projects/places.ts'
import { examineSource } from '../../../projects/sources/source-access.ts'
import {
  type CheckedSource,
  createSource,
  deleteSource,
  listSources,
  readSource,
  updateSource,
} from '../../../projects/sources/sources.ts'
import { type App, type AppContext, type AppDeps, prefixOf } from '../../context.ts'
import {
  checkSourceRoute,
  createSourceRoute,
  deleteSourceCredentialRoute,
  deleteSourceRoute,
  getSourceCredentialRoute,
  getSourceRoute,
  listSourcesRoute,
  putSourceCredentialRoute,
  updateSourceRoute,
} from './contract.ts'

export function addSourceRoutes(app: App, deps: AppDeps): void {
  const { sources, access } = deps
  const { db } = access
  const prefix = prefixOf(deps)
  const find = (c: AppContext, { name }: { readonly name: string }) => readSource(db, c.get('project').id, name)
  app.openapi(listSourcesRoute, async (c) => {
    const found = await listSources(db, c.get('project').id)
    return c.json({ sources: found.map((one) => toShown(c, one)) }, 200)
  })
  app.openapi(createSourceRoute, async (c) => {
    const { id: projectId } = c.get('project')
    const { signal } = c.req.raw
    const given = c.req.valid('json')
    refuseFolder(c, sources.checkAddress(given.repository))
    const made = await createSource(sources, projectId, given, signal)
    c.header('Location', `${prefix}/v1/projects/${projectId}/sources/${made.name}`)
    return c.json(toShown(c, { ...made, access: await examineSource(access, made.id, signal) }), 201)
  })
  app.openapi(getSourceRoute, async (c) => c.json(toShown(c, await find(c, c.req.valid('param'))), 200))
  app.openapi(updateSourceRoute, async (c) => {
    const { signal } = c.req.raw
    const source = await find(c, c.req.valid('param'))
    const given = c.req.valid('json')
    const repository = given.repository === undefined ? source.repository : sources.checkAddress(given.repository)
    if (repository !== source.repository) {
      refuseFolder(c, repository)
      // A stored secret may open more at its host than its source.
      if (await readCredential(db, source.id)) requireReach(c.get('principal'), 'all projects')
    }
    const changed = await updateSource(sources, source, given, signal)
    const isMoved = changed.repository !== source.repository || changed.branch !== source.branch
    const shown = isMoved ? { ...changed, access: await examineSource(access, source.id, signal) } : changed
    return c.json(toShown(c, shown), 200)
  })
  app.openapi(deleteSourceRoute, async (c) => {
    await deleteSource(db, await find(c, c.req.valid('param')))
    return c.body(null, 204)
  })
  app.openapi(checkSourceRoute, async (c) => {
    const { id } = await find(c, c.req.valid('param'))
    return c.json(await examineSource(access, id, c.req.raw.signal), 200)
  })
  addCredentialRoutes(app, deps, find)
}

type Find = (c: AppContext, params: { readonly name: string }) => Promise<CheckedSource>

function addCredentialRoutes(app: App, { access }: AppDeps, find: Find): void {
  const report = async (sourceId: string) => {
    const found = await reportCredential(access, sourceId)
    if (!found) throw noCredential(sourceId)
    return found
  }
  app.openapi(getSourceCredentialRoute, async (c) => {
    const { id } = await find(c, c.req.valid('param'))
    return c.json(await report(id), 200)
  })
  app.openapi(putSourceCredentialRoute, async (c) => {
    const { id } = await find(c, c.req.valid('param'))
    const { signal } = c.req.raw
    const given = c.req.valid('json')
    // An installation opens every repository that it covers.
    if (given.installationId !== undefined) requireReach(c.get('principal'), 'all projects')
    await enterCredential(access, id, given, signal)
    await examineSource(access, id, signal)
    return c.json(await report(id), 200)
  })
  app.openapi(deleteSourceCredentialRoute, async (c) => {
    const { id } = await find(c, c.req.valid('param'))
    await deleteCredential(access.db, id)
    return c.body(null, 204)
  })
}

/** A folder may be the repository of another project. */
function refuseFolder(c: AppContext, repository: string): void {
  if (originOf(repository) === undefined) requireReach(c.get('principal'), 'all projects')
}

/** Only admins manage credentials, so only they see what a check of one found. */
function toShown(c: AppContext, source: CheckedSource): Omit<CheckedSource, 'projectId'> {
  const { id, name, repository, branch, paths, outsidersCommit, releaseStatus, createdAt, updatedAt } = source
  const access = mayUse(c.get('principal'), 'admin') ? source.access : null
  return { id, name, repository, branch, paths, outsidersCommit, releaseStatus, access, createdAt, updatedAt }
}

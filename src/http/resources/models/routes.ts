// Models and keys of providers over HTTP: passes requests on to src/models.

import { Failure } from '../../../lib/failure.ts'
import { checkModelKey } from '../../../models/check.ts'
import { deleteModelKey, listModelKeys, putModelKey } from '../../../models/keys.ts'
import { listModels } from '../../../models/list.ts'
import { toProvider } from '../../../models/providers.ts'
import type { App, AppDeps } from '../../context.ts'
import {
  checkModelKeyRoute,
  deleteModelKeyRoute,
  listModelKeysRoute,
  listModelsRoute,
  putModelKeyRoute,
} from './contract.ts'

export function addModelRoutes(app: App, { models }: AppDeps): void {
  app.openapi(listModelsRoute, async (c) => c.json({ models: await listModels(models) }, 200))
  app.openapi(listModelKeysRoute, async (c) => {
    return c.json({ modelKeys: await listModelKeys(models) }, 200)
  })
  app.openapi(putModelKeyRoute, async (c) => {
    return c.json(await putModelKey(models, findProvider(c.req.valid('param').provider), c.req.valid('json')), 200)
  })
  app.openapi(deleteModelKeyRoute, async (c) => {
    await deleteModelKey(models, findProvider(c.req.valid('param').provider))
    return c.body(null, 204)
  })
  app.openapi(checkModelKeyRoute, async (c) => {
    const { provider } = c.req.valid('param')
    return c.json(await checkModelKey(models, findProvider(provider), c.req.valid('query').model), 200)
  })
}

function findProvider(text: string) {
  const provider = toProvider(text)
  if (provider) return provider
  throw new Failure('not_found', 'There is no such provider: use anthropic, openai, google or compatible.')
}

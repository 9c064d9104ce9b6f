// Checks of texts over HTTP: passes the files on to src/jobs.

import type { App, AppDeps } from '../../context.ts'
import { checkTextsRoute, toCheckResponse } from './contract.ts'

/** How long a client waits for a repository that was not fetched and checked before. */
const deadlineMs = 120_000

export function addCheckTextsRoute(app: App, { checkTexts }: Pick<AppDeps, 'checkTexts'>): void {
  app.openapi(checkTextsRoute, async (c) => {
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(deadlineMs)])
    const checked = await checkTexts(c.get('project').id, c.req.valid('json').files, signal)
    return c.json(toCheckResponse(checked), 200)
  })
}

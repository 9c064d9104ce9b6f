// Serves the built files of the dashboard, compressed when they were built. Their names change with their content, so
// browsers keep them for good; one that is gone is a 404, never the page, which an old tab would run as a script.

import { serveStatic } from '@hono/node-server/serve-static'
import { Failure } from '../../lib/failure.ts'
import type { App } from '../context.ts'

const previewStyle = /\/preview-[\w-]+\.css$/

/** `folder`: the build, with `index.html` and `assets/`. Only `assets/` is served as files. */
export function addAssetRoutes(app: App, folder: string): void {
  const serve = serveStatic({ root: folder, precompressed: true })
  app.get('/assets/*', async (c) => {
    const found = await serve(c, () => Promise.resolve())
    if (found === undefined)
      throw new Failure('not_found', 'There is no such file. Load the page again: the dashboard was updated.')
    // Its `onFound` runs after the response is made, and would set nothing.
    if (found.ok) found.headers.set('Cache-Control', 'public, max-age=31536000, immutable')
    // A preview is a document without an origin, so its style counts as one of another origin.
    if (previewStyle.test(c.req.path)) found.headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
    return found
  })
}

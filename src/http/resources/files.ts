// A file of a change, as jobs and pull requests show it: its bytes at `…/files`, a page or an image as HTML at
// `…/files.html`. Both are hostile: a browser that opens them directly runs nothing and sends nothing.

import { z } from '@hono/zod-openapi'
import type { FindRange } from '../../jobs/diff.ts'
import { previewFileOf, readFileOf, sides, type WantedFile } from '../../jobs/files.ts'
import type { Previews } from '../../preview/previews.ts'
import type { AppContext } from '../context.ts'
import { headers, textBody } from '../contract/responses.ts'
import { namedEnum } from '../contract/schema-of.ts'

export const fileQuery = z.object({
  path: z.string().min(1).max(4_096).openapi({ description: 'The path of the file.', example: 'guides/install.md' }),
  at: namedEnum('DiffSide', sides)
    .default('head')
    .openapi({ description: '`base`: before the change; `head`: after it.' }),
})

/** `preview` also works on the first path; the document declares `/files.html` for that. */
export const bytesQuery = fileQuery.extend({
  preview: z.enum(['true', 'false']).default('false').openapi({ description: '`true`: as `/files.html`.' }),
})

export const fileBytes = {
  description: 'The bytes of the file.',
  headers: headers(),
  content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
}

export const fileHtml = textBody('text/html', 'The content of a `body`: no scripts, styles, links or foreign images.')

/** For a reader who opens the address instead of showing the HTML in a frame without rights. */
const policy = "default-src 'none'; img-src data:; frame-ancestors 'none'; sandbox"

type Shown = { readonly find: FindRange; readonly previews: Previews }

export async function respondFile(c: AppContext, shown: Shown, { preview, ...wanted }: z.infer<typeof bytesQuery>) {
  if (preview === 'true') return respondPreview(c, shown, wanted)
  c.header('Content-Disposition', 'attachment')
  const bytes = await readFileOf(shown.find, wanted)
  return c.body(Uint8Array.from(bytes), 200, { 'Content-Type': 'application/octet-stream' })
}

export async function respondPreview(c: AppContext, { find, previews }: Shown, wanted: WantedFile) {
  return respondHtml(c, await previewFileOf(previews, find, wanted))
}

/** `safe`: made by `preview`. */
export function respondHtml(c: AppContext, safe: string) {
  c.header('Content-Security-Policy', policy)
  return c.html(safe, 200)
}

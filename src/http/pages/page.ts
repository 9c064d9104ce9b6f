// Shared by all HTML pages: no scripts, styles from Docent's own origin only, and errors as a page instead of a JSON
// problem.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toFailure } from '../../lib/failure.ts'
import { describeError, type Log } from '../../lib/observability/log.ts'
import type { AppContext } from '../context.ts'

export type Html = ReturnType<typeof html>

const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action"

/** `formTarget` is the only origin to which a form on the page may be submitted. */
export function pageResponse(
  c: AppContext,
  page: Html,
  status = 200,
  formTarget = "'none'",
): Response | Promise<Response> {
  c.header('Content-Security-Policy', `${policy} ${formTarget}`)
  return c.html(page, status as ContentfulStatusCode)
}

/** Reads the style sheets of a page once. `href` changes with their content, so browsers may cache them forever. */
export function stylesheet(name: 'pulls' | 'reference' | 'github-app') {
  const text = ['page', name].map((file) => readFileSync(join(import.meta.dirname, `${file}.css`), 'utf8')).join('\n')
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const respond = (c: AppContext) => {
    const cache = c.req.query('v') === version ? 'public, max-age=31536000, immutable' : 'no-cache'
    return c.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': cache })
  }
  return { href: `${name}.css?v=${version}`, respond }
}

/** `head` contains the elements that only this page has. */
export function layout(page: {
  readonly title: string
  readonly href: string
  readonly head?: Html
  readonly body: Html
}): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${page.head ?? ''}
        <link rel="stylesheet" href="${page.href}" />
      </head>
      <body>
        ${page.body}
      </body>
    </html>`
}

export const hiddenFromSearch = () => html`<meta name="robots" content="noindex" />`

type Thrown = { readonly error: unknown; readonly href: string; readonly requestId: string }

/** Returns the page for an error, and its status. Details of a 500 go to the log only. */
export function renderProblem(log: Log, { error, href, requestId }: Thrown): [Html, number] {
  const failure = toFailure(error)
  const { status, title } = failure.meaning
  if (status === 500) log.error({ requestId, error: describeError(failure) }, 'failed')
  const detail = status === 500 ? 'Something went wrong inside the service.' : failure.message
  const body = html`<main class="problem">
    <p class="status">${status}</p>
    <h1>${title}</h1>
    <p>${detail}</p>
    <p class="quiet">${requestId}</p>
  </main>`
  return [layout({ title: `${status} ${title}`, href, head: hiddenFromSearch(), body }), status]
}

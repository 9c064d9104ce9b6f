// Describes the HTML pages shown while a person creates and installs a GitHub App. They need no key: the first two require
// a secret `state`; the last one is rate-limited.

import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { textBody } from '../../contract/responses.ts'

const operations = operationsOn('Forge apps')
const page = (description: string) => textBody('text/html', description)
const invalidState = 'A page that says that the address has already been used, or is older than an hour.'
const errorPages = {
  403: page("A page that explains why the App's key cannot be used."),
  422: page("A page with GitHub's reason for refusing the request."),
  429: page('A page that says that there were too many requests.'),
  500: page('A page that reports an internal error.'),
  503: page('A page that says that GitHub is not available, and what to do.'),
}
/** Accepts any text, so that a broken link shows a page instead of a JSON error. */
const parameter = (description: string) => z.string().optional().openapi({ description })

export const newAppPageRoute = operations.get('public', '/github/new', {
  operationId: 'showNewGitHubApp',
  summary: 'Send a person to GitHub to create the App',
  description:
    'The page that `openUrl` of `beginForgeApp` points to. Its button sends the manifest of the App to GitHub.',
  request: { query: z.object({ state: parameter('The secret state in `openUrl`.') }) },
  responses: { 200: page('The page.'), 404: page(invalidState), ...errorPages },
})

export const createdAppPageRoute = operations.get('public', '/github/created', {
  operationId: 'finishGitHubApp',
  summary: 'Return from GitHub with the new App',
  description: 'GitHub sends the person here. Docent exchanges the code, once, for the App and its private key.',
  request: {
    query: z.object({ code: parameter("GitHub's code."), state: parameter('The secret state in `openUrl`.') }),
  },
  responses: { 200: page('A page that leads to the installation of the App.'), 404: page(invalidState), ...errorPages },
})

export const installedAppPageRoute = operations.get('public', '/github/installed', {
  operationId: 'showInstalledGitHubApp',
  summary: 'Return from GitHub after the installation',
  description:
    'Asks GitHub whether the installation belongs to an App of this service, and shows how to connect a project.',
  request: { query: z.object({ installation_id: parameter("The installation's id on GitHub.") }) },
  responses: {
    200: page('The page.'),
    404: page('A page that says that no App of this service has this installation.'),
    ...errorPages,
  },
})

// The pages that a person sees while a GitHub App is created, as the OpenAPI document describes them. They need no key:
// the address of the first one holds a secret, and GitHub calls the others back through the person's browser.

import { createRoute, z } from '@hono/zod-openapi'
import { headersTooLarge, textBody } from '../../contract/responses.ts'

const tags = ['Forge apps']
const page = (description: string) => textBody('text/html', description)
const states = 'A page that says that the address was used, or is older than an hour.'
const wrong = {
  403: page('A page that says what GitHub refused.'),
  422: page('A page that says what GitHub refused.'),
  429: page('A page that says that there were too many requests.'),
  500: page('A page that reports an internal error.'),
  503: page('A page that says that GitHub is not available, and what to do.'),
  ...headersTooLarge(),
}
/** Any text, so that a broken link leads to a page and not to a problem in JSON. */
const parameter = (description: string) => z.string().optional().openapi({ description })

export const newAppPageRoute = createRoute({
  method: 'get',
  path: '/github/new',
  operationId: 'showNewGitHubApp',
  tags,
  security: [],
  summary: 'Send a person to GitHub to create the App',
  description: 'The page at `openUrl`, with a button that sends the manifest of the App to GitHub.',
  request: { query: z.object({ state: parameter('The secret part of `openUrl`.') }) },
  responses: { 200: page('The page.'), 404: page(states), ...wrong },
})

export const createdAppPageRoute = createRoute({
  method: 'get',
  path: '/github/created',
  operationId: 'finishGitHubApp',
  tags,
  security: [],
  summary: 'Return from GitHub with the new App',
  description: 'GitHub sends the person here. The code is exchanged for the App and its private key, once.',
  request: { query: z.object({ code: parameter("GitHub's code."), state: parameter('The state of `openUrl`.') }) },
  responses: { 200: page('A page that leads to the installation of the App.'), 404: page(states), ...wrong },
})

export const installedAppPageRoute = createRoute({
  method: 'get',
  path: '/github/installed',
  operationId: 'showInstalledGitHubApp',
  tags,
  security: [],
  summary: 'Return from GitHub after the installation',
  description: 'Checks at GitHub that the installation belongs to the App, and shows how to connect a project with it.',
  request: { query: z.object({ installation_id: parameter("GitHub's number of the installation.") }) },
  responses: { 200: page('The page.'), 404: page('A page that says that the App has no such installation.'), ...wrong },
})

// The OpenAPI 3.1 document of the app, made from the routes that it serves.

import { jobFailures, requestFailures } from '../lib/failure.ts'
import type { OpenApiApp } from './context.ts'
import { codeTable, statusTable } from './contract/codes.ts'
import { problemSchema } from './contract/problem.ts'
import { headerComponents } from './contract/responses.ts'
import { nameSchemas } from './contract/name-schemas.ts'
import { shareParts } from './contract/share-parts.ts'

export type Document = ReturnType<OpenApiApp['getOpenAPI31Document']>

const introduction = `Docent runs agent jobs for documentation projects. A job takes an instruction, works in the background, and ends in a pull request if it changed files. Docent also counts who reads the published documentation: people and AI agents.

Every operation under \`/v1\` and \`/v2\` needs a key in \`Authorization: Bearer docent_…\`, except the two that the browsers of your visitors call. A key is a secret of your server: browsers on other origins cannot read responses, and a key in a query string is refused. \`GET\` and \`HEAD\` need the scope \`read\`, other methods need \`write\`, and operations that need more say so. No key grants more than it has. A project that the key cannot see looks like one that does not exist.

A body is JSON of at most 1 MiB with \`Content-Type: application/json\`, unless the operation says otherwise. Unknown fields and query parameters are ignored, except that a request about keys, people, credentials or rights with an unknown field gets 400, and so does one under \`/v1/analytics\` with an unknown query parameter (except \`limit\`, \`offset\` and \`interval\`). Within a version, fields are only added.`

export function buildDocument(
  app: Pick<OpenApiApp, 'openAPIRegistry' | 'getOpenAPI31Document'>,
  options: { readonly publicUrl: string; readonly version: string },
): Document {
  const registry = app.openAPIRegistry
  registry.register('Problem', problemSchema)
  for (const { name, header } of headerComponents()) registry.registerComponent('headers', name, header)
  registry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `docent_` and 46 letters and digits.',
  })
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-docent',
    description: 'The cookie of a session. Over plain http, and under a path, its name differs.',
  })
  const document = app.getOpenAPI31Document({
    openapi: '3.1.1',
    info: {
      title: 'Docent',
      version: options.version,
      description: introduction,
      contact: { name: 'The operator of this service', url: options.publicUrl },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [{ key: [] }],
    tags,
  })
  return shareParts(nameSchemas(document))
}

const tags = [
  {
    name: 'Jobs',
    description: 'Work for the agent. If a job fails, its `error.code` is one of the codes listed under Errors.',
  },
  { name: 'Projects', description: 'A repository with a base branch and the settings for its jobs and page views.' },
  {
    name: 'Credentials',
    description: 'How the service signs in at the host of a repository, and what it may do there.',
  },
  {
    name: 'Sources',
    description:
      'Repositories of the product that a project reads. It writes nothing but a commit status on releases, if wanted.',
  },
  {
    name: 'Automations',
    description:
      'Instructions with a trigger. Each run of one is a job, or says why it has no job. An automation can do no more than the key that makes or changes it: it ends no later, and a key that is bound to addresses cannot make one. Unknown fields are refused.',
  },
  {
    name: 'Webhooks',
    description:
      'Addresses that get the events of a project: ends of jobs, states of pull requests, pauses and failures of automations. They are signed as Standard Webhooks defines it, or written for Slack.',
  },
  {
    name: 'Forge webhooks',
    description:
      'Addresses where forges tell of pushes, pull requests and comments, so that Docent looks at once. It looks regularly without them.',
  },
  {
    name: 'Sites',
    description: 'The published documentation of a project: the web origins that its page views may come from.',
  },
  {
    name: 'Analytics',
    description:
      "Visitors and page views, counted exactly. A range consists of whole days in the project's time zone: it includes `dateFrom` and ends before `dateTo`. To read the next page, raise `offset` while `hasMore` is true; totals cover all pages. CSV is RFC 4180 in UTF-8, with a header line; a cell that a spreadsheet would run as a formula starts with an apostrophe. A 304 response does not count against the limit of exports.",
  },
  { name: 'Segments', description: 'Filters of page views under a name, for `segment` of the exports.' },
  { name: 'Shared links', description: 'Links that show the statistics of a project to people without an account.' },
  { name: 'Page views', description: 'Recording what is read on the sites of a project.' },
  {
    name: 'Pull requests',
    description: "Pull requests: those of jobs on a forge, and Docent's own, for repositories without a forge.",
  },
  { name: 'Keys', description: 'API keys: what they can do, in which projects, from where and until when.' },
  {
    name: 'People',
    description:
      'People, their sessions and invitations. A session opens what a key of its role opens, except recording page views; a request that changes something must come from a page of this service.',
  },
  { name: 'Audit', description: 'The record of who changed what.' },
  {
    name: 'Forge apps',
    description: 'The GitHub Apps of this service. A project is connected with an installation.',
  },
  {
    name: 'Models',
    description:
      'The models that jobs can use, and the keys of their providers. Stored keys are encrypted and never shown.',
  },
  {
    name: 'MCP',
    description: 'The Model Context Protocol, for coding agents: its tools are operations of this API.',
  },
  { name: 'Service', description: 'The service itself. These operations need no key.' },
  {
    name: 'Errors',
    description: `An error is \`application/problem+json\` (RFC 9457). Switch on \`code\`. Operations that read the repository can also return the codes of jobs.\n\n${statusTable(requestFailures)}\n\nA failed job has one of these codes in \`error.code\`:\n\n${codeTable(jobFailures)}`,
  },
]

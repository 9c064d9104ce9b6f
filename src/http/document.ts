// The OpenAPI 3.1 document of the app, made of the very routes that it serves.

import type { OpenAPIHono } from '@hono/zod-openapi'
import { jobFailures, requestFailures } from '../lib/failure.ts'
import type { AppEnv } from './context.ts'
import { headerComponents } from './contract/responses.ts'
import { codeTable, statusTable } from './contract/codes.ts'
import { problemSchema } from './contract/problem.ts'

export type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>

const introduction = `Docent runs agent jobs for documentation projects: a job takes an instruction, works in the background, and ends in a pull request when it changed files.

Every operation under \`/v1\` and \`/v2\` takes a key, but for those that browsers of visitors ask: \`Authorization: Bearer docent_…\`. Keys are secrets of servers: browsers of other origins cannot read an answer, and a key in a query string is refused. \`GET\` and \`HEAD\` need the scope \`read\`, all else \`write\`, but for what says that it needs \`admin\`. A project that a key may not see is answered like one that does not exist.

Bodies are JSON of at most 1 MiB, with \`Content-Type: application/json\`. Unknown fields and query parameters are ignored. Within a version fields are only added.`

export function buildDocument(
  app: OpenAPIHono<AppEnv>,
  options: { readonly publicUrl: string; readonly version: string },
): Document {
  const registry = app.openAPIRegistry
  registry.register('Problem', problemSchema)
  for (const { name, header } of headerComponents()) registry.registerComponent('headers', name, header)
  registry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An admin API key: `docent_` and 46 letters and digits.',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.1',
    info: {
      title: 'Docent',
      version: options.version,
      description: introduction,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [{ key: [] }],
    tags: tags(),
  })
}

function tags() {
  return [
    {
      name: 'Jobs',
      description: 'Work of the agent. The codes of failed jobs (`error.code`) are in the tables of errors.',
    },
    { name: 'Projects', description: 'What jobs belong to: a repository, a base branch, settings.' },
    {
      name: 'Sites',
      description: 'Published documentation of a project, and where its page views may come from.',
    },
    {
      name: 'Analytics',
      description:
        "Visitors and page views, counted exactly. The unit of a range is the whole day in the project's time zone: `dateFrom` is the first one, `dateTo` the one after the last. An answer that is the one that the caller has (304) does not count against the limit of exports.",
    },
    { name: 'Page views', description: 'What is read in the sites of a project.' },
    { name: 'Pull requests', description: 'Those that Docent keeps itself, for repositories without a forge.' },
    { name: 'Keys', description: 'Who may call.' },
    { name: 'Service', description: 'The service itself. Needs no key.' },
    {
      name: 'Errors',
      description: `Refusals are \`application/problem+json\` (RFC 9457). Switch on \`code\`; the codes of jobs may come too, when an operation reaches the repository.\n\n${statusTable(requestFailures)}\n\nA job that failed carries one of these in \`error.code\`:\n\n${codeTable(jobFailures)}`,
    },
  ]
}

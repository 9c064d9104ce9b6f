// `docent project create|list|show`.

import type { Command } from 'commander'
import { plainText } from '../lib/plain-text.ts'
import { printFields, printTable } from './output.ts'
import { type CommandContext, withApi } from './context.ts'

type Project = {
  readonly id: string
  readonly name: string
  readonly repository: string
  readonly branch: string | null
}
type CreateOptions = {
  readonly name: string
  readonly repository: string
  readonly branch?: string
  readonly json?: true
}

export function addProjectCommands(program: Command, context: CommandContext): void {
  const { output } = context
  const project = program.command('project').description('create, list and show projects')
  project
    .command('create')
    .description('create a project for a repository')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--repository <address>', 'https address, or a path when local repositories are allowed')
    .option('--branch <branch>', "base branch; default: the repository's own default branch")
    .option('--json', 'print one JSON object with projectId')
    .action(async (options: CreateOptions) => {
      const body = { name: options.name, repository: options.repository, branch: options.branch ?? null }
      const made = await withApi(
        context,
        async (api) => JSON.parse((await api.send('POST', '/v1/projects', body)).body) as Project,
      )
      output.print(
        options.json
          ? JSON.stringify({ projectId: made.id, ...made })
          : `Created project ${made.id} (${plainText(made.name)}).`,
      )
    })
  project
    .command('list')
    .description('list the projects')
    .option('--json', 'print a JSON array')
    .action(async (options: { readonly json?: true }) => {
      const { body } = await withApi(context, (api) => api.send('GET', '/v1/projects'))
      const { projects } = JSON.parse(body) as { readonly projects: readonly Project[] }
      if (options.json) output.print(JSON.stringify(projects))
      else
        printTable(
          output,
          ['PROJECT', 'NAME', 'REPOSITORY', 'BRANCH'],
          projects.map((one) => [one.id, plainText(one.name), one.repository, one.branch ?? '(default)']),
        )
    })
  project
    .command('show <projectId>')
    .description('show one project')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: { readonly json?: true }) => {
      const { body } = await withApi(context, (api) => api.send('GET', `/v1/projects/${encodeURIComponent(id)}`))
      if (options.json) output.print(body)
      else printFields(output, JSON.parse(body) as Readonly<Record<string, unknown>>)
    })
}

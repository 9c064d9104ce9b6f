// `docent project create|list|show|update|delete`.

import type { Command } from 'commander'
import { Option } from 'commander'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Project } from '../../projects/projects.ts'
import { type CommandContext, withApi } from '../context.ts'
import { printFields, printTable } from '../output.ts'
import { addSettingOptions, resettable, type SettingOptions, toChange } from './settings.ts'

type Json = { readonly json?: true }
type CreateOptions = SettingOptions & Json & { readonly name: string; readonly repository: string }
type UpdateOptions = SettingOptions &
  Json & { readonly name?: string; readonly repository?: string; readonly reset?: readonly string[] }

export function addProjectCommands(program: Command, context: CommandContext): void {
  const project = program.command('project').description('create, list, show, change and delete projects')
  addCreate(project, context)
  addList(project, context)
  addShow(project, context)
  addUpdate(project, context)
  addDelete(project, context)
}

function addCreate(project: Command, context: CommandContext): void {
  const command = project
    .command('create')
    .description('create a project for a repository')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--repository <address>', 'https address, or a path when local repositories are allowed')
  addSettingOptions(command)
    .option('--json', 'print one JSON object with projectId')
    .action(async (options: CreateOptions) => {
      const body = { name: options.name, repository: options.repository, ...toChange(options) }
      const answer = await withApi(context, (api) => api.send('POST', '/v1/projects', body))
      const made = JSON.parse(answer.body) as Project
      const words = `Created project ${made.id} (${plainText(made.name)}).`
      context.output.print(options.json ? JSON.stringify({ projectId: made.id, ...made }) : words)
    })
}

function addList(project: Command, { output, ...context }: CommandContext): void {
  project
    .command('list')
    .description('list the projects')
    .option('--json', 'print a JSON array')
    .action(async (options: Json) => {
      const { body } = await withApi({ output, ...context }, (api) => api.send('GET', '/v1/projects'))
      const { projects } = JSON.parse(body) as { readonly projects: readonly Project[] }
      const rows = projects.map((one) => [one.id, plainText(one.name), one.repository, one.branch ?? '(default)'])
      if (options.json) output.print(JSON.stringify(projects))
      else printTable(output, ['PROJECT', 'NAME', 'REPOSITORY', 'BRANCH'], rows)
    })
}

function addShow(project: Command, context: CommandContext): void {
  project
    .command('show <projectId>')
    .description('show one project')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Json) => {
      const { body } = await withApi(context, (api) => api.send('GET', pathOf(id)))
      print(context, body, options)
    })
}

function addUpdate(project: Command, context: CommandContext): void {
  const command = project
    .command('update <projectId>')
    .description('change what the options name, and nothing else')
    .option('--name <name>', 'what people call it')
    .option('--repository <address>', 'another repository; not while a job is active')
  addSettingOptions(command)
    .addOption(new Option('--reset <setting...>', 'settings that get their default again').choices(resettable))
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: UpdateOptions) => {
      const body = { name: options.name, repository: options.repository, ...toChange(options, options.reset) }
      const answer = await withApi(context, (api) => api.send('PATCH', pathOf(id), body))
      print(context, answer.body, options)
    })
}

function addDelete(project: Command, context: CommandContext): void {
  project
    .command('delete <projectId>')
    .description('delete a project with its jobs, pull requests, sites and page views, for good')
    .option('--yes', 'do it')
    .option('--json', 'print one JSON object with projectId')
    .action(async (id: string, options: Json & { readonly yes?: true }) => {
      if (!options.yes) {
        const words =
          'This deletes the project with its jobs, transcripts, pull requests, sites and page views, for good.'
        throw new Failure('invalid_input', `${words} Add --yes to do it.`)
      }
      await withApi(context, (api) => api.send('DELETE', pathOf(id)))
      context.output.print(options.json ? JSON.stringify({ projectId: id, deleted: true }) : `Deleted ${id}.`)
    })
}

function pathOf(id: string): string {
  return `/v1/projects/${encodeURIComponent(id)}`
}

function print({ output }: CommandContext, body: string, options: Json): void {
  if (options.json) output.print(body)
  else printFields(output, JSON.parse(body) as Readonly<Record<string, unknown>>)
}

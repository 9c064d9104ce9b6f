// `docent project create|list|show|update|delete|fork|policy`: manages projects over the API.

import type { Command } from 'commander'
import { Option } from 'commander'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { AccessReport } from '../../projects/access/access.ts'
import type { Project } from '../../projects/projects.ts'
import type { SourceSetting } from '../../projects/sources/sources.ts'
import type { CommandContext } from '../context.ts'
import { readProjects } from '../api/projects.ts'
import { type ProjectOption, withApi, withProject } from '../api/with-api.ts'
import { addLazyCommands, type DefineAll, type LazyCommand } from '../lazy-commands.ts'
import { printFields, printTable } from '../output.ts'
import { printAccess } from './access-text.ts'
import { addSettingOptions, resettable, type SettingOptions, toChange } from './settings.ts'

type Json = { readonly json?: true }
type CreateOptions = SettingOptions & Json & { readonly name: string; readonly repository: string }
type UpdateOptions = SettingOptions &
  Json & { readonly name?: string; readonly repository?: string; readonly reset?: readonly string[] }

const commands: readonly LazyCommand[] = [
  {
    usage: 'credential',
    about: 'set, show, check and delete the credential of a project',
    load: async () => (await import('./credential.ts')).defineCredential,
  },
  {
    usage: 'fork <project>',
    about: 'make a fork for the branches of jobs, or leave it',
    load: async () => (await import('./fork.ts')).defineFork,
  },
  {
    usage: 'policy [path...]',
    about: 'show whether jobs may change these paths, what texts would get, and which rule decides',
    load: async () => (await import('./policy.ts')).definePolicy,
  },
]

export function defineProject(project: Command, context: CommandContext): DefineAll {
  addCreate(project, context)
  addList(project, context)
  addShow(project, context)
  addUpdate(project, context)
  addDelete(project, context)
  return addLazyCommands(project, context, commands)
}

function addCreate(project: Command, context: CommandContext): void {
  const command = project
    .command('create')
    .description('create a project for a repository')
    .requiredOption('--name <name>', 'a name for people; other commands take it for --project')
    .requiredOption('--repository <address>', 'https address, or a path when local repositories are allowed')
  addSettingOptions(command)
    .option('--json', 'print one JSON object with projectId')
    .action(async (options: CreateOptions) => {
      const body = { name: options.name, repository: options.repository, ...toChange(options) }
      const response = await withApi(context, (api) => api.send('POST', '/v1/projects', body))
      const made = JSON.parse(response.body) as Project & { readonly access: AccessReport }
      const words = `Created project ${made.id} (${plainText(made.name)}).`
      context.output.print(options.json ? JSON.stringify({ projectId: made.id, ...made }) : words)
      if (!options.json) warnOfAccess(context, made.access)
    })
}

function addList(project: Command, { output, ...context }: CommandContext): void {
  project
    .command('list')
    .description('list the projects')
    .option('--json', 'print a JSON array')
    .action(async (options: Json) => {
      const projects = await withApi({ output, ...context }, (api) => readProjects<Project>(api))
      const rows = projects.map((one) => [one.id, plainText(one.name), one.repository, one.branch ?? '(default)'])
      if (options.json) output.print(JSON.stringify(projects))
      else printTable(output, ['PROJECT', 'NAME', 'REPOSITORY', 'BRANCH'], rows)
    })
}

function addShow(project: Command, context: CommandContext): void {
  project
    .command('show [project]')
    .description('show a project, by id or name (default: $DOCENT_PROJECT, or the only project)')
    .option('--json', 'print one JSON object')
    .action(async (project: string | undefined, options: Json) => {
      const read = await withProject(context, toOption(project), (api, id) => api.send('GET', pathOf(id)))
      print(context, read.body, options)
    })
}

function addUpdate(project: Command, context: CommandContext): void {
  const command = project
    .command('update <project>')
    .description('change the given options of a project and nothing else')
    .option('--name <name>', 'a name for people; other commands take it for --project')
    .option('--repository <address>', 'another repository; refused while a job is active')
  addSettingOptions(command)
    .addOption(new Option('--reset <setting...>', 'settings to reset to their defaults').choices(resettable))
    .option('--json', 'print one JSON object')
    .action(async (project: string, options: UpdateOptions) => {
      const body = { name: options.name, repository: options.repository, ...toChange(options, options.reset) }
      const response = await withProject(context, { project }, (api, id) => api.send('PATCH', pathOf(id), body))
      print(context, response.body, options)
    })
}

function addDelete(project: Command, context: CommandContext): void {
  project
    .command('delete <project>')
    .description('delete a project with its jobs, pull requests, sites and page views')
    .option('--yes', 'confirm')
    .option('--json', 'print one JSON object with projectId')
    .action(async (project: string, options: Json & { readonly yes?: true }) => {
      if (!options.yes) {
        const words = 'This deletes the project with its jobs, transcripts, pull requests, sites and page views.'
        throw new Failure('invalid_input', `${words} It cannot be undone. Add --yes to confirm.`)
      }
      const projectId = await withProject(context, { project }, async (api, id) => {
        await api.send('DELETE', pathOf(id))
        return id
      })
      context.output.print(options.json ? JSON.stringify({ projectId, deleted: true }) : `Deleted ${projectId}.`)
    })
}

/** Without an argument, the default of all commands that need a project applies. */
function toOption(project: string | undefined): ProjectOption {
  return project === undefined ? {} : { project }
}

function pathOf(id: string): string {
  return `/v1/projects/${encodeURIComponent(id)}`
}

function print(context: CommandContext, body: string, options: Json): void {
  const { output } = context
  if (options.json) return output.print(body)
  const { access, sources, ...project } = JSON.parse(body) as Readonly<Record<string, unknown>>
  // An older service has no sources.
  const names = ((sources ?? []) as readonly SourceSetting[]).map(({ name }) => name)
  const fields = Object.entries({ ...project, sources: names })
  printFields(output, Object.fromEntries(fields.map(([name, value]) => [name, toText(value)])))
  if (access) warnOfAccess(context, access as AccessReport)
}

/** Prints nothing if no right is missing. */
function warnOfAccess({ output }: CommandContext, access: AccessReport): void {
  if (access.missing.length === 0 && access.problem === null) return
  output.print('Jobs of this project will fail until this is fixed:')
  printAccess(output, access)
}

/** Returns `turns=50, seconds=600` for an object. Unset fields are left out. */
function toText(value: unknown): string {
  if (value === null) return 'default'
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.join(', ')
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value)
  const parts = Object.entries(value).filter(([, one]) => !isUnset(one))
  return parts.length === 0 ? 'default' : parts.map(([name, one]) => `${name}=${toText(one)}`).join(', ')
}

/** Null, an empty list, or an object of such. */
function isUnset(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  return Object.values(value).every(isUnset)
}

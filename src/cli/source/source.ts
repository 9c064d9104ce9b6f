// `docent source add|list|show|set|remove|check|credential`: manages the sources of a project over the API.

import type { Command } from 'commander'
import { Option } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { CheckedSource } from '../../projects/sources/sources.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { addLazyCommands, type DefineAll, type LazyCommand } from '../lazy-commands.ts'
import { printFields, printTable } from '../output.ts'
import { toBoolean } from '../limit-option.ts'
import { addProjectOption } from '../project-option.ts'
import { checkSource, pathOf, printSourceAccess, type SourceOptions, stateOf } from './access-text.ts'

type AddOptions = SourceOptions & {
  readonly repository: string
  readonly branch?: string
  readonly path?: readonly string[]
  readonly outsidersCommit?: boolean
  readonly releaseStatus?: boolean
}
const resettable = ['branch', 'paths', 'outsidersCommit', 'releaseStatus'] as const
type SetOptions = Partial<AddOptions> & {
  readonly name?: string
  readonly reset?: readonly (typeof resettable)[number][]
}

type Shown = Omit<CheckedSource, 'projectId'>

const commands: readonly LazyCommand[] = [
  {
    usage: 'credential',
    about: 'set, show and remove the credential of a source',
    load: async () => (await import('./credential.ts')).defineSourceCredential,
  },
]

export function defineSource(source: Command, context: CommandContext): DefineAll {
  addAdd(source, context)
  addList(source, context)
  addShow(source, context)
  addSet(source, context)
  addRemove(source, context)
  addCheck(source, context)
  return addLazyCommands(source, context, commands)
}

const help = `
A source is read, and never written, except for a commit status with --release-status yes. The credential of the project is never used for it: a source without a credential of
its own is read as anybody may.
  docent source add api --repository https://github.com/acme/api.git --path 'src/' --path '*.md'
  docent source credential set api --token-file -`

function addAdd(source: Command, context: CommandContext): void {
  const command = addProjectOption(source.command('add <name>'))
    .description('add a source, and check whether it can be read; names are lower-case letters, digits and dashes')
    .requiredOption('--repository <address>', 'https address, or a path when local repositories are allowed')
  addFields(command)
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(async (name: string, options: AddOptions) => {
      const { repository, branch, path, outsidersCommit, releaseStatus } = options
      const body = { name, repository, branch, paths: path, outsidersCommit, releaseStatus }
      const response = await withProject(context, options, (api, id) => api.send('POST', pathOf(id), body))
      if (options.json) return context.output.print(response.body)
      const made = JSON.parse(response.body) as Shown
      context.output.print(`Added the source ${made.name}.`)
      printSourceAccess(context.output, made.access)
    })
}

function addList(source: Command, { output, ...context }: CommandContext): void {
  addProjectOption(source.command('list'))
    .description('list the sources of a project')
    .option('--json', 'print a JSON array')
    .action(async (options: SourceOptions) => {
      const { body } = await withProject({ output, ...context }, options, (api, id) => api.send('GET', pathOf(id)))
      const { sources } = JSON.parse(body) as { readonly sources: readonly Shown[] }
      const rows = sources.map(({ name, repository, branch, paths, access }) => {
        const shownPaths = paths.length === 0 ? 'all' : plainText(paths.join(' '))
        return [name, repository, branch ?? '(default)', shownPaths, stateOf(access)]
      })
      if (options.json) output.print(JSON.stringify(sources))
      else printTable(output, ['SOURCE', 'REPOSITORY', 'BRANCH', 'PATHS', 'LAST CHECK'], rows)
    })
}

function addShow(source: Command, context: CommandContext): void {
  addProjectOption(source.command('show <name>'))
    .description('show a source, and what the last check found')
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: SourceOptions) => {
      const { body } = await withProject(context, options, (api, id) => api.send('GET', pathOf(id, name)))
      print(context, body, options)
    })
}

function addSet(source: Command, context: CommandContext): void {
  const command = addProjectOption(source.command('set <name>'))
    .description('change the given options of a source and nothing else')
    .option('--name <name>', 'another name')
    .option('--repository <address>', 'another repository')
  addFields(command)
    .addOption(new Option('--reset <setting...>', 'settings to reset to their defaults').choices(resettable))
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: SetOptions) => {
      const { repository, branch, path, outsidersCommit, releaseStatus, reset = [] } = options
      const defaults = Object.fromEntries(reset.map((setting) => [setting, null]))
      const change = {
        name: options.name,
        repository,
        branch,
        paths: path,
        outsidersCommit,
        releaseStatus,
        ...defaults,
      }
      const { body } = await withProject(context, options, (api, id) => api.send('PATCH', pathOf(id, name), change))
      print(context, body, options)
    })
}

function addFields(command: Command): Command {
  return command
    .option('--branch <branch>', "the branch that is read; default: the repository's own default branch")
    .option('--path <glob...>', 'globs of the files that can be read, such as src/ or *.md; default: all files')
    .option(
      '--outsiders-commit',
      'people outside of the team commit to it: no automation that reads it merges by itself',
    )
    .addOption(
      new Option(
        '--release-status <yes|no>',
        'whether a commit status of the newest release says how many changes are undocumented',
      ).argParser(toBoolean),
    )
}

function addRemove(source: Command, context: CommandContext): void {
  addProjectOption(source.command('remove <name>'))
    .description('remove a source with its credential; its repository stays as it is')
    .option('--json', 'print one JSON object with name')
    .action(async (name: string, options: SourceOptions) => {
      await withProject(context, options, (api, id) => api.send('DELETE', pathOf(id, name)))
      context.output.print(options.json ? JSON.stringify({ name, deleted: true }) : `Removed the source ${name}.`)
    })
}

function addCheck(source: Command, context: CommandContext): void {
  addProjectOption(source.command('check <name>'))
    .description('check whether a source can be read, and at which commit it is')
    .option('--json', 'print one JSON object')
    .action(async (name: string, options: SourceOptions) => checkSource(context, name, options))
}

function print({ output }: CommandContext, body: string, { json }: SourceOptions): void {
  if (json) return output.print(body)
  const { access, branch, paths, releaseStatus, ...source } = JSON.parse(body) as Shown
  const shownPaths = paths.length === 0 ? 'all' : paths.join(', ')
  printFields(output, {
    ...source,
    branch: branch ?? 'default',
    paths: shownPaths,
    releaseStatus: releaseStatus ? 'yes' : 'no',
  })
  printSourceAccess(output, access)
}

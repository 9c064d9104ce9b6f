// `docent site create|list|update|delete`.

import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { Site } from '../../projects/sites.ts'
import { type CommandContext, withApi } from '../context.ts'
import { printTable } from '../output.ts'

type Options = {
  readonly project: string
  readonly name?: string
  readonly origin?: readonly string[]
  readonly honourOptOut?: boolean
  readonly json?: true
}

export function addSiteCommands(program: Command, context: CommandContext): void {
  const site = program.command('site').description('create, list, change and delete sites: where page views come from')
  addCreate(site, context)
  addList(site, context)
  addUpdate(site, context)
  addDelete(site, context)
}

function addCreate(site: Command, context: CommandContext): void {
  withProject(site.command('create'))
    .description('create a site; its id is public')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--origin <origin...>', 'where its pages are, such as https://docs.example.com')
    .option('--honour-opt-out <yes|no>', 'honour Global Privacy Control and Do Not Track (default: no)', toBoolean)
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      const answer = await withApi(context, (api) => api.send('POST', pathOf(options), toBody(options)))
      const made = JSON.parse(answer.body) as Site
      context.output.print(options.json ? answer.body : `Created site ${made.id} (${plainText(made.name)}).`)
    })
}

function addList(site: Command, context: CommandContext): void {
  withProject(site.command('list'))
    .description('list the sites of a project')
    .option('--json', 'print a JSON array')
    .action(async (options: Options) => {
      const { body } = await withApi(context, (api) => api.send('GET', pathOf(options)))
      const { sites } = JSON.parse(body) as { readonly sites: readonly Site[] }
      const rows = sites.map((one) => [one.id, plainText(one.name), one.origins.join(' ')])
      if (options.json) context.output.print(JSON.stringify(sites))
      else printTable(context.output, ['SITE', 'NAME', 'ORIGINS'], rows)
    })
}

function addUpdate(site: Command, context: CommandContext): void {
  withProject(site.command('update <siteId>'))
    .description('change what the options name, and nothing else')
    .option('--name <name>', 'what people call it')
    .option('--origin <origin...>', 'all of its origins')
    .option('--honour-opt-out <yes|no>', 'honour Global Privacy Control and Do Not Track', toBoolean)
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Options) => {
      const answer = await withApi(context, (api) => api.send('PATCH', pathOf(options, id), toBody(options)))
      context.output.print(options.json ? answer.body : `Changed ${id}.`)
    })
}

function addDelete(site: Command, context: CommandContext): void {
  withProject(site.command('delete <siteId>'))
    .description('delete a site')
    .option('--json', 'print one JSON object with id')
    .action(async (id: string, options: Options) => {
      await withApi(context, (api) => api.send('DELETE', pathOf(options, id)))
      context.output.print(options.json ? JSON.stringify({ id, deleted: true }) : `Deleted ${id}.`)
    })
}

function withProject(command: Command): Command {
  return command.requiredOption('--project <id>', 'the project that it belongs to')
}

function toBody({ name, origin, honourOptOut }: Options) {
  return { name, origins: origin, honoursOptOut: honourOptOut }
}

function pathOf({ project }: Options, id?: string): string {
  const path = `/v1/projects/${encodeURIComponent(project)}/sites`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

function toBoolean(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Write yes or no.')
}

// `docent site create|list|update|delete`: manages the sites of a project.

import type { Command } from 'commander'
import { plainText } from '../../lib/plain-text.ts'
import type { Site } from '../../projects/sites.ts'
import type { CommandContext } from '../context.ts'
import { addProjectOption } from '../project-option.ts'
import { withProject } from '../api/with-api.ts'
import { printTable } from '../output.ts'
import { toBoolean } from '../limit-option.ts'

type Options = {
  readonly project?: string
  readonly name?: string
  readonly origin?: readonly string[]
  readonly honourOptOut?: boolean
  readonly json?: true
}

export function defineSite(site: Command, context: CommandContext): void {
  addCreate(site, context)
  addList(site, context)
  addUpdate(site, context)
  addDelete(site, context)
}

function addCreate(site: Command, context: CommandContext): void {
  addProjectOption(site.command('create'))
    .description('create a site and print the tag for its pages; its id is public')
    .requiredOption('--name <name>', 'a name for people')
    .requiredOption('--origin <origin...>', 'the origins of its pages, such as https://docs.example.com')
    .option('--honour-opt-out <yes|no>', 'honour Global Privacy Control and Do Not Track (default: no)', toBoolean)
    .option('--json', 'print one JSON object with id and tag')
    .action(async (options: Options) => {
      const response = await withProject(context, options, (api, projectId) =>
        api.send('POST', pathOf(projectId), toBody(options)),
      )
      const made = JSON.parse(response.body) as Site
      const { toTag } = await import('./tag.ts')
      const { tag, warning } = toTag(context.environment, made.id)
      const words = [
        `Created site ${made.id} (${plainText(made.name)}).`,
        'Put this into the <head> of every page:',
        tag,
      ]
      context.output.print(options.json ? JSON.stringify({ ...made, tag }) : words.join('\n'))
      if (warning !== undefined) context.output.warn(warning)
    })
}

function addList(site: Command, context: CommandContext): void {
  addProjectOption(site.command('list'))
    .description('list the sites of a project')
    .option('--json', 'print a JSON array')
    .action(async (options: Options) => {
      const { body } = await withProject(context, options, (api, projectId) => api.send('GET', pathOf(projectId)))
      const { sites } = JSON.parse(body) as { readonly sites: readonly Site[] }
      const rows = sites.map((one) => [one.id, plainText(one.name), one.origins.join(' ')])
      if (options.json) context.output.print(JSON.stringify(sites))
      else printTable(context.output, ['SITE', 'NAME', 'ORIGINS'], rows)
    })
}

function addUpdate(site: Command, context: CommandContext): void {
  addProjectOption(site.command('update <siteId>'))
    .description('change the given options and nothing else')
    .option('--name <name>', 'a name for people')
    .option('--origin <origin...>', 'the origins of its pages; replaces all current origins')
    .option('--honour-opt-out <yes|no>', 'honour Global Privacy Control and Do Not Track', toBoolean)
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: Options) => {
      const response = await withProject(context, options, (api, projectId) =>
        api.send('PATCH', pathOf(projectId, id), toBody(options)),
      )
      context.output.print(options.json ? response.body : `Changed ${id}.`)
    })
}

function addDelete(site: Command, context: CommandContext): void {
  addProjectOption(site.command('delete <siteId>'))
    .description('delete a site')
    .option('--json', 'print one JSON object with id')
    .action(async (id: string, options: Options) => {
      await withProject(context, options, (api, projectId) => api.send('DELETE', pathOf(projectId, id)))
      context.output.print(options.json ? JSON.stringify({ id, deleted: true }) : `Deleted ${id}.`)
    })
}

function toBody({ name, origin, honourOptOut }: Options) {
  return { name, origins: origin, honoursOptOut: honourOptOut }
}

function pathOf(projectId: string, id?: string): string {
  const path = `/v1/projects/${projectId}/sites`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

// `docent analytics segments list|save|delete`: filters under a name, for --segment of the other commands.

import type { Command } from 'commander'
import { findSegment } from '../../analytics/counts/query/segments.ts'
import { Failure } from '../../lib/failure.ts'
import { terminalText } from '../../lib/plain-text.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { addOwnFilters, describeFilters, filtersOf, type OwnFilters } from '../filter-options.ts'
import { printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = { readonly project?: string; readonly json?: true }
type Segment = { readonly id: string; readonly name: string; readonly filters: OwnFilters }

const pathOf = (projectId: string) => `/v1/projects/${projectId}/segments`

export function defineSegments(segments: Command, context: CommandContext): void {
  const { output } = context
  const add = (usage: string, about: string) =>
    addProjectOption(segments.command(usage).description(about)).option('--json', 'print JSON')
  add('list', 'list the saved segments of a project').action(async (options: Options) => {
    const found = await withProject(context, options, async (api, id) => (await api.send('GET', pathOf(id))).body)
    if (options.json) return output.print(found)
    const rows = (JSON.parse(found) as { readonly segments: readonly Segment[] }).segments.map(toRow)
    if (rows.length === 0) return output.print('No segment is saved.')
    printTable(output, ['ID', 'NAME', 'FILTERS'], rows)
  })
  addOwnFilters(add('save <name>', 'save filters under a name')).action(
    async (name: string, options: Options & OwnFilters) => {
      const filters = filtersOf(options)
      if (Object.keys(filters).length === 0) {
        throw new Failure('invalid_input', 'Name at least one filter, such as --section /guides.')
      }
      const body = await withProject(context, options, async (api, id) => {
        return (await api.send('POST', pathOf(id), { name, filters })).body
      })
      const { id } = JSON.parse(body) as Segment
      output.print(options.json ? body : `Saved ${terminalText(name)} as ${id}. Use it with --segment.`)
    },
  )
  add('delete <segment>', 'delete a segment, by its name or id; page views stay').action(
    async (wanted: string, options: Options) => {
      const deleted = await withProject(context, options, async (api, id) => {
        const found = JSON.parse((await api.send('GET', pathOf(id))).body) as { readonly segments: readonly Segment[] }
        const segment = findSegment(found.segments, wanted)
        if (!segment) throw new Failure('not_found', `There is no segment ${terminalText(wanted)} in this project.`)
        await api.send('DELETE', `${pathOf(id)}/${segment.id}`)
        return segment
      })
      output.print(options.json ? JSON.stringify(deleted) : `Deleted the segment ${terminalText(deleted.name)}.`)
    },
  )
}

function toRow({ id, name, filters }: Segment): readonly string[] {
  return [id, terminalText(name), terminalText(describeFilters(filters) ?? '')]
}

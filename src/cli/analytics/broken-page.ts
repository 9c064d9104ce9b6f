// `docent analytics broken-page`: the pages and sites that link to a page that does not exist, and the page that was
// probably meant.

import type { Command } from 'commander'
import type { BrokenPageLinks } from '../../http/resources/analytics/broken-links.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { CommandContext } from '../context.ts'
import { type Output, paint, printTable } from '../output.ts'
import { addFilterOptions, type FilterOptions, filtersOf } from '../filter-options.ts'
import { toAddress } from './export-text.ts'
import { addProjectOption } from '../project-option.ts'
import { withProject } from '../api/with-api.ts'
import { toDay, toRange, toRows } from './range.ts'
import { toRight, withCommas } from './summary/summary-text.ts'

type Options = FilterOptions & {
  readonly project?: string
  readonly from?: string
  readonly to?: string
  readonly top: string
  readonly json?: true
}

export function defineBrokenPage(command: Command, context: CommandContext): void {
  addFilterOptions(addProjectOption(command), 'path')
    .option('--from <day>', 'the first day (default: the first day kept)', toDay)
    .option('--to <day>', 'the day after the last day (default: tomorrow)', toDay)
    .option('--top <count>', 'rows of the table, at most 250', toRows, '50')
    .option('--json', 'print one JSON object')
    .action(async (path: string, options: Options) => {
      const found = await withProject(context, options, async (api, id) => {
        const { body } = await api.send('GET', toQuery(id, path, options))
        return JSON.parse(body) as BrokenPageLinks
      })
      if (options.json) context.output.print(JSON.stringify(found))
      else printLinks(context.output, path, found)
    })
}

function toQuery(id: string, path: string, { from, to, top, ...options }: Options): string {
  return toAddress(`/v1/analytics/${id}/broken-pages/links`, {
    ...filtersOf(options),
    ...toRange({ from, to }),
    path,
    limit: top,
  })
}

function printLinks(output: Output, path: string, { links, hasMore, suggestion }: BrokenPageLinks): void {
  if (links.length === 0) output.print(`No request for ${plainText(path)} met a missing page in this range.`)
  else {
    const rows = links.map(({ from, human, ai, neither, total }) => [
      from === '' ? 'unknown' : plainText(from),
      ...[human, ai, neither, total].map(withCommas),
    ])
    printTable(output, ...toRight(['LINKED FROM', 'HUMAN', 'AI', 'NEITHER', 'TOTAL'], rows, [1, 2, 3, 4]))
    if (hasMore) output.print(paint(output, 'gray', 'There are more: --top shows them.'))
  }
  if (suggestion !== null) output.print(`Probably meant: ${plainText(suggestion)}`)
}

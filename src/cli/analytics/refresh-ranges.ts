// `docent analytics refresh-ranges`: fetches the addresses that operators publish for their agents into the data
// directory, and says what changed and how old each list is. Needs no service; one that runs reads them when it starts.

import type { Command } from 'commander'
import { toRangesFolder } from '../../analytics/classify/verify/load-ranges.ts'
import { type Fetch, type Refreshed, refreshRanges } from '../../analytics/classify/verify/refresh-ranges.ts'
import { parseConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { CommandContext } from '../context.ts'
import { printTable } from '../output.ts'

export function addRefreshRangesCommand(
  parent: Command,
  context: CommandContext,
  fetch: Fetch = globalThis.fetch,
): void {
  parent
    .command('refresh-ranges')
    .description('fetch the addresses that operators publish for their agents')
    .option('--json', 'print a JSON array')
    .action(async (options: { readonly json?: true }) => {
      const { dataDir } = parseConfig(context.environment)
      const refreshed = await refreshRanges(toRangesFolder(dataDir), fetch, systemClock)
      if (options.json) context.output.print(JSON.stringify(refreshed.map(toJson)))
      else print(context, refreshed)
      if (refreshed.every(({ problem }) => problem !== undefined)) {
        throw new Failure('unavailable', 'No list could be fetched: those before stay in their place.')
      }
    })
}

function print({ output }: CommandContext, refreshed: readonly Refreshed[]): void {
  const heading = ['LIST', 'AGENTS', 'DATE', 'AGE', 'PREFIXES', 'CHANGED']
  printTable(output, heading, refreshed.map(toRow))
  for (const { source, problem } of refreshed.filter((one) => one.problem !== undefined)) {
    output.warn(`${source.id}: ${plainText(problem ?? '')} (${source.address})`)
  }
  output.print('A running service reads them when it starts again.')
}

function toRow({ source, snapshot, ageDays, added, removed, problem }: Refreshed): readonly string[] {
  const age = ageDays === undefined ? '-' : `${ageDays} ${ageDays === 1 ? 'day' : 'days'}`
  const changed = added + removed === 0 ? 'no' : `+${added} -${removed}`
  const prefixes = String(snapshot?.prefixes.length ?? 0)
  return [source.id, source.agents.join(' '), snapshot?.date ?? '-', age, prefixes, problem ? 'not fetched' : changed]
}

function toJson({ source, snapshot, ...rest }: Refreshed) {
  const { id, operator, agents, address } = source
  return { id, operator, agents, address, date: snapshot?.date, prefixes: snapshot?.prefixes.length ?? 0, ...rest }
}

// `docent analytics refresh-ranges`: downloads the address ranges that operators publish for their agents into the data
// directory, and prints changes and the age of each list. A running service reads them at its next start.

import { toRangesFolder } from '../../analytics/classify/verify/load-ranges.ts'
import { type Fetch, type Refreshed, refreshRanges } from '../../analytics/classify/verify/refresh-ranges.ts'
import { parseConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { CommandContext } from '../context.ts'
import type { Define } from '../lazy-commands.ts'
import { printTable } from '../output.ts'

export function createRefreshRanges(fetch: Fetch): Define {
  return (command, context) => {
    command
      .option('--json', 'print a JSON array')
      .action((options: { readonly json?: true }) => runRefresh(context, fetch, options.json === true))
  }
}

async function runRefresh(context: CommandContext, fetch: Fetch, isJson: boolean): Promise<void> {
  const { dataDir } = parseConfig(context.environment)
  const refreshed = await refreshRanges(toRangesFolder(dataDir), fetch, systemClock)
  if (isJson) context.output.print(JSON.stringify(refreshed.map(toJson)))
  else print(context, refreshed)
  if (refreshed.every(({ problem }) => problem !== undefined)) {
    throw new Failure('unavailable', 'No list could be fetched: the previous lists are kept.')
  }
}

function print({ output }: CommandContext, refreshed: readonly Refreshed[]): void {
  const heading = ['LIST', 'AGENTS', 'DATE', 'AGE', 'PREFIXES', 'CHANGED']
  printTable(output, heading, refreshed.map(toRow))
  for (const { source, problem } of refreshed.filter((one) => one.problem !== undefined)) {
    output.warn(`${source.id}: ${plainText(problem ?? '')} (${source.address})`)
  }
  output.print('A running service reads them at its next start.')
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

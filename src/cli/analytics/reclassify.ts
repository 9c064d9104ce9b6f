// `docent analytics reclassify`: classifies past page views by the rules of this release, a month at a time, and shows
// its progress.

import type { Command } from 'commander'
import type { Reclassified } from '../../analytics/upkeep/reclassify.ts'
import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { addProjectOption } from '../project-option.ts'
import { withProject } from '../api/with-api.ts'
import { addDays, toDay } from './range.ts'
import { runSteps } from './steps.ts'

type Options = { readonly project?: string; readonly since: string; readonly json?: true }

export function defineReclassify(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .requiredOption('--since <day>', 'the first day', toDay)
    .option('--json', 'print one JSON object')
    .action((options: Options) =>
      withProject(context, options, (api, project) => reclassifyMonths(context, api, { ...options, project })),
    )
}

async function reclassifyMonths(
  context: CommandContext,
  api: Api,
  options: Options & { readonly project: string },
): Promise<void> {
  const path = `/v1/analytics/${options.project}/reclassify`
  const months = splitMonths(options.since, new Date().toISOString().slice(0, 10))
  const sum = { looked: 0, changed: 0 }
  const steps = months.map((month, at) => ({
    title: `${month.since}: month ${at + 1} of ${months.length}`,
    stopped: `Stopped. Continue with --since ${month.since}.`,
    run: async () => {
      const done = JSON.parse((await api.send('POST', path, month)).body) as Reclassified
      sum.looked += done.looked
      sum.changed += done.changed
      return `${month.since.slice(0, 7)}  ${describe(done)}`
    },
  }))
  await runSteps(context, steps, options)
  context.output.print(options.json ? JSON.stringify(sum) : `Done: ${describe(sum)}.`)
}

function describe({ looked, changed }: Reclassified): string {
  return `${looked.toLocaleString('en')} kinds of client read, ${changed.toLocaleString('en')} reclassified`
}

type Part = { readonly since: string; readonly until?: string }

/** Whole months except the first. The last has no end: in the zone of the project it may be tomorrow already. */
export function splitMonths(since: string, today: string): readonly Part[] {
  const parts: Part[] = []
  for (let begin = since; ;) {
    const next = `${addDays(`${begin.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
    if (next > today) return [...parts, { since: begin }]
    parts.push({ since: begin, until: next })
    begin = next
  }
}

// `docent automation run|runs`: starts a run, and lists those of an automation with what became of the pages that they were given.

import type { RunFailures } from '../../automations/runs/pages/failures.ts'
import type { RunPage } from '../../automations/runs/list.ts'
import type { AutomationRun } from '../../automations/runs/run.ts'
import type { Failure } from '../../lib/failure.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { printTable } from '../output.ts'
import { toMinute } from './show.ts'
import { type AddCommand, type AutomationOptions, withAutomation } from './with-automation.ts'

type RunsOptions = AutomationOptions & {
  readonly limit: string
  readonly cursor?: string
  readonly failures?: true
}

export function addRuns(add: AddCommand, context: CommandContext): void {
  const { output } = context
  add('run <automation>', 'start a run now, or after the one in progress; exits with 1 if it does not start').action(
    async (wanted: string, options: AutomationOptions) => {
      const { body } = await withAutomation(context, { ...options, needsService: true }, wanted, (api, path) =>
        api.send('POST', `${path}/run`),
      )
      const run = JSON.parse(body) as AutomationRun
      if (options.json) output.print(body)
      else if (run.jobId !== null) output.print(`Started the run ${run.id}: job ${run.jobId}.`)
      else if (run.status === 'queued') output.print(`The run ${run.id} waits: it begins as soon as it can.`)
      if (run.jobId === null && run.status !== 'queued')
        throw new CommandFailure('failed', codeOf(run), `The run was ${sayEnd(run)}`)
    },
  )
  add('runs <automation>', 'list the runs of an automation, the newest first')
    .option('--limit <number>', 'runs on a page, 1 to 100', '20')
    .option('--cursor <cursor>', 'the nextCursor of the page before')
    .option('--failures', 'whether readers still fail on the pages that the runs were given')
    .action(async (wanted: string, options: RunsOptions) => {
      const { limit, cursor } = options
      const query = new URLSearchParams({ limit, ...(cursor === undefined ? {} : { cursor }) })
      const { page, failures } = await withAutomation(context, options, wanted, async (api, path) => {
        const found = JSON.parse((await api.send('GET', `${path}/runs?${query.toString()}`)).body) as RunPage
        return { page: found, failures: options.failures ? await readFailures(api, path, found) : undefined }
      })
      if (options.json) return output.print(JSON.stringify({ ...page, ...(failures && { failures }) }))
      const { runs, nextCursor } = page
      const rows = runs.map((run) => [
        toMinute(run.createdAt),
        run.status,
        'name' in run.trigger ? plainText(shorten(run.trigger.name ?? 'event', 30)) : run.trigger.type,
        run.jobId ?? '',
        plainText(shorten(run.prLink ?? run.reason ?? '', 100)),
      ])
      printTable(output, ['STARTED', 'STATUS', 'BY', 'JOB', 'PULL REQUEST OR REASON'], rows)
      for (const [id, found] of Object.entries(failures ?? {})) printFailures(output, id, found)
      if (nextCursor !== null) output.warn(`More: --cursor ${nextCursor}`)
    })
}

/** By the ids of runs; without those that were given no page. */
async function readFailures(api: Api, path: string, { runs }: RunPage): Promise<Readonly<Record<string, RunFailures>>> {
  const found: Record<string, RunFailures> = {}
  for (const { id, givenPages } of runs) {
    if (givenPages === 0) continue
    found[id] = JSON.parse((await api.send('GET', `${path}/runs/${id}/failures`)).body) as RunFailures
  }
  return found
}

function printFailures(output: CommandContext['output'], id: string, { mergedAt, note, pages }: RunFailures): void {
  const merged = mergedAt === null ? '' : `, merged ${toMinute(mergedAt)}`
  output.print(`\nPages that the run ${id} was given${merged}:${note === null ? '' : ` ${note}`}`)
  for (const { path, verdict, text } of pages) {
    const judged = verdict === 'unknown' ? '' : `: ${verdict}`
    output.print(`  ${plainText(path)}: ${text}${judged}`)
  }
}

function codeOf({ status }: AutomationRun): Failure['code'] {
  if (status === 'skipped') return 'job_active'
  return status === 'capped' ? 'rate_limited' : 'invalid_input'
}

function sayEnd({ status, reason }: AutomationRun): string {
  return `${status === 'failed' ? 'not started' : status}: ${plainText(reason ?? '')}`
}

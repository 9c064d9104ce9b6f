// `docent job create|show|list|message|cancel|archive|watch|diff`: a client of the API, and nothing more.

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import { type Failure, isJobFailureCode } from '../../lib/failure.ts'
import type { JobResponse } from '../../jobs/response.ts'
import type { Api } from '../api.ts'
import { plainText } from '../../lib/plain-text.ts'
import { CommandFailure, usage } from '../exit.ts'
import { paint, printDiff, printFields, printTable } from '../output.ts'
import { type CommandContext, withApi } from '../context.ts'
import { type Add, addEventCommands, printDiffstat, printEvents } from './events.ts'
import { watchJob } from './watch.ts'

type Options = { readonly project: string; readonly json?: true }
type Prompted = Options & { readonly prompt?: string; readonly file?: string; readonly watch?: true }

export function addJobCommands(program: Command, context: CommandContext): void {
  const job = program.command('job').description('create jobs, follow them, and read what they changed')
  const add = (usage: string, description: string) =>
    job
      .command(usage)
      .description(description)
      .requiredOption('--project <id>', 'the project')
      .option('--json', 'print JSON')
  addWriting(add, context)
  addEnding(add, context)
  addReading(add, context)
  addEventCommands(add, context)
}

function addWriting(add: Add, context: CommandContext): void {
  const withPrompt = (command: Command) =>
    command
      .option('--prompt <text>', 'the instruction')
      .option('--file <path>', 'read the instruction from a file')
      .option('--watch', 'wait for the end and show the way there')
  withPrompt(add('create', 'create a job from an instruction')).action(async (options: Prompted) => {
    const prompt = await readPrompt(options)
    await withJob(context, options, (api) => api.send('POST', `${base(options)}/job`, { prompt }))
  })
  withPrompt(add('message <jobId>', 'send a follow-up to a job')).action(async (id: string, options: Prompted) => {
    const prompt = await readPrompt(options)
    await withJob(context, options, (api) => api.send('POST', `${base(options)}/job/${part(id)}/message`, { prompt }))
  })
}

function addEnding(add: Add, context: CommandContext): void {
  for (const [verb, description] of [
    ['cancel', 'stop what a job does; a message goes on from there'],
    ['archive', 'archive a job that is over, for good'],
  ]) {
    add(`${verb} <jobId>`, description ?? '').action((id: string, options: Options) =>
      withJob(context, options, (api) => api.send('POST', `${base(options)}/job/${part(id)}/${verb}`)),
    )
  }
}

function addReading(add: Add, context: CommandContext): void {
  const { output } = context
  add('show <jobId>', 'show a job').action((id: string, options: Options) =>
    withJob(context, options, (api) => api.send('GET', `${base(options)}/job/${part(id)}`)),
  )
  add('list', 'list the newest jobs')
    .option('--status <status>', 'only jobs in this state')
    .option('--limit <count>', 'how many', '20')
    .action(async (options: Options & { readonly status?: string; readonly limit: string }) => {
      const query = new URLSearchParams({ limit: options.limit, ...(options.status ? { status: options.status } : {}) })
      const { body } = await withApi(
        context,
        (api) => api.send('GET', `${base(options)}/jobs?${query.toString()}`),
        true,
      )
      const { jobs } = JSON.parse(body) as { readonly jobs: readonly JobResponse[] }
      if (options.json) output.print(body)
      else printTable(output, ['JOB', 'STATUS', 'CREATED', 'RESULT'], jobs.map(toRow))
    })
  add('watch <jobId>', 'show a job as it runs, until it ends; with --json its events, a line each').action(
    (id: string, options: Options) =>
      options.json
        ? printEvents(context, `${base(options)}/job/${part(id)}`, true)
        : withJob(context, { ...options, watch: true }, (api) => api.send('GET', `${base(options)}/job/${part(id)}`)),
  )
  add('diff <jobId>', 'show what a job changed so far').action(async (id: string, options: Options) => {
    const accept = { Accept: options.json ? 'application/json' : 'text/x-diff' }
    const path = `${base(options)}/job/${part(id)}/diff`
    const { body } = await withApi(context, (api) => api.send('GET', path, undefined, accept), true)
    if (options.json) output.print(body)
    else if (body !== '') printDiff(output, plainText(body))
  })
}

/** Sends what answers with a job, follows it when asked to, and prints it. Fails when the followed job failed. */
async function withJob(
  context: CommandContext,
  options: Options & { readonly watch?: true },
  send: (api: Api) => Promise<{ readonly body: string }>,
): Promise<void> {
  const { output, stop } = context
  const read = async (api: Api) => {
    const job = JSON.parse((await send(api)).body) as JobResponse
    const path = `${base(options)}/job/${job.id}`
    if (!options.watch) return job
    const progress = options.json ? { ...output, warn: () => undefined, terminal: undefined } : output
    const ended = await watchJob({ api, path, output: progress, stop, clock: systemClock }, job)
    if (!stop.aborted) await printDiffstat(api, path, progress)
    return ended
  }
  const job = await withApi(context, read, true)
  if (options.json) output.print(JSON.stringify(job))
  else printJob(context, job)
  if (options.watch && job.status === 'failed') {
    throw new CommandFailure('jobFailed', failureCode(job), job.error?.message ?? 'The job failed.')
  }
  if (options.watch && job.status === 'active') {
    throw new CommandFailure(
      'stopped',
      'job_active',
      `Stopped watching; ${job.id} goes on. To stop it: docent job cancel.`,
    )
  }
}

function failureCode({ error }: JobResponse): Failure['code'] {
  return error && isJobFailureCode(error.code) ? error.code : 'internal'
}

function printJob({ output }: CommandContext, job: JobResponse): void {
  const colour = ({ active: 'yellow', completed: 'green', failed: 'red', archived: 'gray' } as const)[job.status]
  const fields = {
    job: job.id,
    status: job.status,
    ...(job.phase ? { phase: job.phase } : {}),
    ...(job.error ? { error: `${job.error.code}: ${job.error.message}` } : {}),
    ...(job.outcome ? { outcome: job.outcome } : {}),
    ...(job.prLink ? { pull: job.prLink } : {}),
    ...(job.archivedAt ? { archived: `${job.archivedAt} by the ${job.archivedBy ?? 'service'}` } : {}),
    branch: job.source.ref,
    model: job.model,
    usage: `${job.usage.turns} turns, ${job.usage.inputTokens} + ${job.usage.outputTokens} tokens`,
    updated: job.updatedAt,
  }
  printFields(output, fields, { status: paint(output, colour, job.status) })
}

function toRow(job: JobResponse): readonly string[] {
  return [job.id, job.status, job.createdAt, plainText(job.error?.code ?? job.prLink ?? job.outcome ?? job.phase ?? '')]
}

async function readPrompt(options: Prompted): Promise<string> {
  if (options.prompt !== undefined && options.file === undefined) return options.prompt
  if (options.file !== undefined && options.prompt === undefined) {
    return readFile(options.file, 'utf8').catch((error: Error) => {
      throw usage(`--file cannot be read: ${error.message}`)
    })
  }
  throw usage('Give the instruction by --prompt or by --file.')
}

function base(options: Options): string {
  return `/v2/agent/${part(options.project)}`
}

function part(id: string): string {
  return encodeURIComponent(id)
}

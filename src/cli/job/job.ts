// `docent job create|show|list|message|cancel|archive|watch|events|diff|checks|transcript|replay|activity|open`: creates and follows
// jobs over the API.

import { type Command, Option } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { ListedJob } from '../../jobs/listed.ts'
import type { JobResponse } from '../../jobs/response.ts'
import type { Api } from '../api/api.ts'
import { shorten, terminalText } from '../../lib/plain-text.ts'
import { CommandFailure } from '../exit.ts'
import { paint, printDiff, printFields, printTable } from '../output.ts'
import type { CommandContext } from '../context.ts'
import { addProjectOption } from '../project-option.ts'
import { type ProjectOption, withProject, withProjectOfJob } from '../api/with-api.ts'
import type { ChecksOptions } from './checks.ts'
import { printDiffstat } from './diffstat.ts'
import { type Add, addEventCommands, jobFailure, jobQuestion, printEvents, projectPart } from './events.ts'
import { type PromptOptions, readPrompt } from './prompt.ts'
import type { ReplayOptions } from './replay.ts'

type Options = ProjectOption & { readonly json?: true }
type Prompted = Options &
  PromptOptions & {
    readonly watch?: true
    readonly model?: string
    readonly branch?: string
    readonly draft?: true | 'yes' | 'no'
    readonly context?: string
  }

export function defineJob(job: Command, context: CommandContext): void {
  const add = (usage: string, about: string) =>
    addProjectOption(job.command(usage).description(about)).option('--json', 'print JSON')
  addWriting(add, context)
  addEnding(add, context)
  addReading(add, context)
  addEventCommands(add, context)
  job
    .command('replay <file>')
    .description('run the calls of a transcript again, and compare the files after each turn; needs no service')
    .requiredOption('--repository <path>', 'a clone of the repository; nothing in it is changed')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: ReplayOptions) => {
      const { replayFile } = await import('./replay.ts')
      await replayFile(context, file, options)
    })
}

function addWriting(add: Add, context: CommandContext): void {
  const withPrompt = (command: Command) =>
    command
      .option('--prompt <text>', 'the instruction; - reads standard input, @file a file')
      .option('--file <path>', 'read the instruction from a file')
      .option('--watch', 'show the job as it runs and wait for its end')
      .option('--model <model>', 'provider/model; one that the project allows')
      .option('--context <sources>', 'the sources that it needs, with commas between them; default: all')
  const draft = () =>
    new Option('--draft [yes|no]', 'whether the pull request is a draft; default: as in the project').choices([
      'yes',
      'no',
    ])
  withPrompt(add('create', 'create a job from an instruction'))
    .option('--branch <branch>', 'base branch; default: that of the project')
    .addOption(draft())
    .action(async (options: Prompted) => {
      const body = await toBody(options, context)
      await withJob(context, options, (api, base) => api.send('POST', `${base}/job`, body))
    })
  withPrompt(add('message <jobId>', 'send a follow-up to a job'))
    .option('--branch <branch>', 'base branch, if the message starts a new branch or the base is gone')
    .addOption(draft())
    .action(async (id: string, options: Prompted) => {
      const body = await toBody(options, context)
      await withJob(context, { ...options, id }, (api, base) =>
        api.send('POST', `${base}/job/${part(id)}/message`, body),
      )
    })
}

async function toBody(options: Prompted, context: CommandContext) {
  const { model, branch, draft, context: sources } = options
  return {
    prompt: await readPrompt(options, context),
    ...(model === undefined ? {} : { model }),
    ...(branch === undefined ? {} : { branch }),
    ...(draft === undefined ? {} : { draft: draft !== 'no' }),
    ...(sources === undefined ? {} : { context: sources.split(',').flatMap((name) => name.trim() || []) }),
  }
}

function addEnding(add: Add, context: CommandContext): void {
  for (const [verb, description] of [
    ['cancel', 'stop a job; a follow-up message continues it'],
    ['archive', 'archive a job that has ended; this is final'],
  ]) {
    add(`${verb} <jobId>`, description ?? '').action((id: string, options: Options) =>
      withJob(context, { ...options, id }, (api, base) => api.send('POST', `${base}/job/${part(id)}/${verb}`)),
    )
  }
}

function addReading(add: Add, context: CommandContext): void {
  const { output } = context
  add('show <jobId>', 'show a job').action((id: string, options: Options) =>
    withJob(context, { ...options, id }, (api, base) => api.send('GET', `${base}/job/${part(id)}`)),
  )
  add('list', 'list the newest jobs')
    .option('--status <status>', 'only jobs in this state')
    .option('--limit <count>', 'the most jobs to list', '20')
    .action(async (options: Options & { readonly status?: string; readonly limit: string }) => {
      const query = new URLSearchParams({ limit: options.limit, ...(options.status ? { status: options.status } : {}) })
      const read = (api: Api, base: string) => api.send('GET', `${base}/jobs?${query.toString()}`)
      const { body } = await withBase(context, options, read)
      const { jobs } = JSON.parse(body) as { readonly jobs: readonly ListedJob[] }
      if (options.json) output.print(body)
      else printTable(output, ['JOB', 'STATUS', 'CREATED', 'INSTRUCTION', 'RESULT'], jobs.map(toRow))
    })
  add('watch <jobId>', 'show a job as it runs, until it ends; with --json, print one event per line').action(
    (id: string, options: Options) =>
      options.json
        ? printEvents(context, { ...options, id, isFollowing: true })
        : withJob(context, { ...options, id, watch: true }, (api, base) => api.send('GET', `${base}/job/${part(id)}`)),
  )
  add('diff <jobId>', 'show what a job has changed so far').action(async (id: string, options: Options) => {
    const accept = { Accept: options.json ? 'application/json' : 'text/x-diff' }
    const read = (api: Api, base: string) => api.send('GET', `${base}/job/${part(id)}/diff`, undefined, accept)
    const { body } = await withBase(context, { ...options, id }, read)
    if (options.json) output.print(body)
    else if (body !== '') printDiff(output, body)
  })
  add('checks <jobId>', 'show the problems that a job brought into the documentation')
    .option('--sarif', 'print a SARIF log, which GitHub shows beside a change')
    .action(async (id: string, options: ChecksOptions) => {
      const { showChecks } = await import('./checks.ts')
      await showChecks(context, id, options)
    })
  add(
    'transcript <jobId>',
    'print every turn of a job; with --json, one line per run and turn, which replay reads',
  ).action(async (id: string, options: Options) => {
    const { printTranscript } = await import('./transcript.ts')
    await printTranscript(context, id, options)
  })
  add('activity <jobId>', 'print what happened on the pull request; with --json, one line per entry').action(
    async (id: string, options: Options) => {
      const { printActivity } = await import('./activity.ts')
      await printActivity(context, id, options)
    },
  )
  add('open <jobId>', "open the job's pull request in the browser").action(async (id: string, options: Options) => {
    const read = (api: Api, base: string) => api.send('GET', `${base}/job/${part(id)}`)
    const { prLink } = JSON.parse((await withBase(context, { ...options, id }, read)).body) as JobResponse
    if (prLink === null) throw new Failure('not_found', `${id} has no pull request to open.`)
    output.print(options.json ? JSON.stringify({ prLink }) : terminalText(prLink))
    if (options.json || !/^https?:/.test(prLink)) return
    await context.openInBrowser?.(prLink).catch(() => output.warn('No browser could be opened.'))
  })
}

/** `id`: of the job that the command is about. */
type OfJob = Options & { readonly id?: string }

/** Runs a command that needs a running service. `base` is the path of the project's jobs. */
function withBase<T>(
  context: CommandContext,
  options: OfJob,
  work: (api: Api, base: string) => Promise<T>,
): Promise<T> {
  const run = (api: Api, projectId: string) => work(api, `/v2/agent/${projectId}`)
  if (options.id !== undefined) return withProjectOfJob(context, options, options.id, run)
  return withProject(context, options, run, true)
}

/** Sends a request that returns a job, follows the job with `--watch`, and prints it. Throws if the followed job fails. */
async function withJob(
  context: CommandContext,
  options: OfJob & { readonly watch?: true },
  send: (api: Api, base: string) => Promise<{ readonly body: string }>,
): Promise<void> {
  const { output, stop } = context
  const read = async (api: Api, base: string) => {
    const job = JSON.parse((await send(api, base)).body) as JobResponse
    const path = `${base}/job/${job.id}`
    if (!options.watch) return job
    const progress = options.json ? { ...output, warn: () => undefined, terminal: undefined } : output
    const { watchJob } = await import('./watch.ts')
    const ended = await watchJob({ api, path, output: progress, stop, clock: systemClock }, job)
    if (!stop.aborted) await printDiffstat(api, path, progress)
    return ended
  }
  const job = await withBase(context, options, read)
  if (options.json) output.print(JSON.stringify(job))
  else printJob(context, job)
  // A failed job keeps its error when it is archived.
  if (options.watch && job.status !== 'active' && job.error) throw jobFailure(job.error)
  if (options.watch && job.outcome === 'needs_input') throw jobQuestion({ ...options, id: job.id })
  if (options.watch && job.status === 'active') {
    const hint = `To stop it: docent job cancel ${job.id}${projectPart(options)}`
    throw new CommandFailure('stopped', 'job_active', `Stopped watching; ${job.id} continues. ${hint}`)
  }
}

function printJob({ output }: CommandContext, job: JobResponse): void {
  const colour = ({ active: 'yellow', completed: 'green', failed: 'red', archived: 'gray' } as const)[job.status]
  const fields = {
    job: job.id,
    status: job.status,
    ...(job.phase ? { phase: job.phase } : {}),
    ...(job.error ? { error: `${job.error.code}: ${job.error.message}` } : {}),
    ...(job.outcome ? { outcome: job.outcome } : {}),
    ...(job.pullRequest ? { pull: pullText(job.pullRequest) } : {}),
    ...(job.merging ? { merging: mergingText(job.merging) } : {}),
    ...(job.forgeChecks ? { failed: forgeChecksText(job.forgeChecks) } : {}),
    ...(job.archivedAt ? { archived: `${job.archivedAt} by the ${job.archivedBy ?? 'service'}` } : {}),
    branch: job.source.ref,
    model: job.model,
    ...(job.sources.length > 0 ? { sources: job.sources.map(sourceText).join(', ') } : {}),
    usage: usageText(job.usage),
    ...(job.pagesRead.length === 0 ? {} : { read: pagesText(job.pagesRead) }),
    updated: job.updatedAt,
  }
  printFields(output, fields, { status: paint(output, colour, job.status) })
  if (job.result) output.print(`\n${terminalText(job.result.text)}`)
  if (job.result?.reply) output.print(`\nThe agent replies to you:\n\n${terminalText(job.result.reply)}`)
}

function usageText({ turns, inputTokens, cachedInputTokens, outputTokens }: JobResponse['usage']): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${cachedInputTokens} from the cache)`
  // The built-in model uses no tokens.
  const tokens = inputTokens + outputTokens === 0 ? '' : `, ${inputTokens}${cached} + ${outputTokens} tokens`
  return `${turns} turns${tokens}`
}

function pagesText(pages: JobResponse['pagesRead']): string {
  return pages.map(({ address, status }) => `${address} (${status ?? 'no response'})`).join(', ')
}

function sourceText({ name, commit }: JobResponse['sources'][number]): string {
  return commit === null ? `${name} (not read)` : `${name}@${commit.slice(0, 7)}`
}

function pullText({ url, state, draft, mergedAt }: NonNullable<JobResponse['pullRequest']>): string {
  const shown = state === 'open' && draft ? 'open, draft' : state
  return `${url} (${shown}${mergedAt === null ? '' : ` ${mergedAt}`})`
}

function mergingText({ state, obstacles }: NonNullable<JobResponse['merging']>): string {
  return state === 'waiting' ? `waiting: ${obstacles.map(({ message }) => message).join(' ')}` : state
}

function forgeChecksText({ commit, failed, reason }: NonNullable<JobResponse['forgeChecks']>): string {
  const names = terminalText(failed.map(({ name }) => name).join(', '))
  return `${names} on ${commit.slice(0, 10)}. ${reason ?? 'The agent got them.'}`
}

const instructionCharacters = 50

/** The instruction is the first line of its text: a table has one line for a job. */
function toRow(job: ListedJob): readonly string[] {
  const [instruction = ''] = job.prompt.trim().split('\n', 1)
  return [
    job.id,
    job.status,
    job.createdAt,
    terminalText(shorten(instruction, instructionCharacters)),
    terminalText(job.error?.code ?? job.prLink ?? job.outcome ?? job.phase ?? ''),
  ]
}

function part(id: string): string {
  return encodeURIComponent(id)
}

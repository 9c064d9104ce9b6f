// `docent demo`: creates a repository of the example site, checks it, starts the service, and turns on an automation that repairs
// what the check found. Shows its first run, from the job to the merge and the readers of the site, all over HTTP. It ends
// with pages to open in a browser.

import { dirname } from 'node:path'
import type { Command } from 'commander'
import { type Config, parseConfig } from '../../config/config.ts'
import type { Environment } from '../../config/environment.ts'
import type { FileDiff } from '../../git/types.ts'
import type { AutomationKind } from '../../automations/ready/kinds.ts'
import type { AutomationRun } from '../../automations/runs/run.ts'
import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import type { JobResponse } from '../../jobs/response.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { isPortTaken } from '../../http/server/server.ts'
import { serve, type Service } from '../../service/service.ts'
import { type Api, openHttpApi, openSocketApi } from '../api/api.ts'
import { aborted, type CommandContext } from '../context.ts'
import { printAndSend, type DemoClient, gray, printHeading } from './client.ts'
import { createDemoRepository, type DemoRepository, readLog, updateCheckout } from './repository.ts'
import { openDashboard } from './account.ts'
import { showVisitors } from './visitors.ts'
import { plainText } from '../../lib/plain-text.ts'
import { paint, printDiff } from '../output.ts'
import { runCheck } from '../check/check.ts'
import { CommandFailure } from '../exit.ts'
import { watchJob } from '../job/watch.ts'

export function defineDemo(command: Command, context: CommandContext): void {
  command
    .option('--exit', 'stop the service at the end of the demo')
    .action(async (options: { readonly exit?: true }) => {
      await runDemo(context, options.exit === true)
    })
}

async function runDemo(context: CommandContext, exit: boolean): Promise<void> {
  const { environment, output } = context
  const config = parseConfig({ DOCENT_LOG_LEVEL: 'error', ...environment, DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true' })
  printHeading(context, 'A repository of the example site')
  const repository = await createDemoRepository(config.dataDir)
  output.print(`  ${repository.bare}`)
  printHeading(context, 'A check of the site: it finds a broken link')
  await showCheck(context, repository.checkout)
  printHeading(context, 'The service, on its embedded engines (the first start takes a few seconds)')
  const service = await startService(config, environment)
  try {
    output.print(`  ${service.address}, model ${config.model.id}`)
    const demo = { config, service, repository }
    const { client, projectId, automationId } = await setUp(context, demo)
    const prLink = await showRun(client, demo, { projectId, automationId })
    const folder = dirname(repository.bare)
    await showVisitors(client, { projectId, folder })
    if (exit) return showCleanUp(client, projectId, folder)
    await openDashboard(config, async (link) => {
      showPages(client, { link, prLink })
      showCleanUp(client, projectId, folder)
      await aborted(context.stop)
    })
  } finally {
    await service.stop()
  }
}

type Links = { readonly link: string; readonly prLink: string }

function showPages({ output, address }: DemoClient, { link, prLink }: Links): void {
  printHeading({ output }, 'Open in a browser, while the service runs (Ctrl-C stops it)')
  output.print(`  Dashboard       ${link}`)
  output.print(gray({ output }, '                  signs you in, once, as the account of the demo, which ends with it'))
  output.print(`  Pull request    ${prLink}`)
  output.print(`  API reference   ${address}/reference`)
}

/** In a checkout, the command need not be on the path. */
const ownCommand = import.meta.url.endsWith('.ts') ? 'npm run docent --' : 'docent'

/** The demo uses the data directory of `docent serve`, so that what it made can be used on. */
function showCleanUp(client: DemoClient, projectId: string, folder: string): void {
  printHeading(client, 'To remove what the demo made')
  client.output.print(gray(client, `  $ ${ownCommand} project delete ${projectId} --yes`))
  client.output.print(gray(client, `  $ rm -r ${folder}`))
}

/** Listens on the configured port, or on a free one when that is taken and was not set explicitly. */
async function startService(config: Config, environment: Environment): Promise<Service> {
  try {
    return await serve(config)
  } catch (error) {
    if (!isPortTaken(error) || environment['DOCENT_PORT']) throw error
    return serve({ ...config, port: 0 })
  }
}

type Demo = { readonly config: Config; readonly service: Service; readonly repository: DemoRepository }

type Made = { readonly projectId: string; readonly automationId: string }

/** Returns the address of the pull request. */
async function showRun(client: DemoClient, demo: Demo, { projectId, automationId }: Made): Promise<string> {
  const { output } = client

  printHeading(client, 'Its first run: a job that repairs the link. The next one starts by itself')
  const start = `/v1/projects/${projectId}/automations/${automationId}/run`
  const run = await printAndSend<AutomationRun>(client, 'POST', start)
  const path = `/v2/agent/${projectId}/job/${run.jobId}`
  const job = await follow(client, path, JSON.parse((await client.api.send('GET', path)).body) as JobResponse)

  printHeading(client, 'Its pull request, with the diff')
  if (job.prLink === null) throw new Failure('internal', 'The job opened no pull request.')
  output.print(`  ${job.prLink}`)
  const pulls = `/v1/projects/${projectId}/pulls`
  const [pull] = (await printAndSend<{ readonly pulls: readonly Pull[] }>(client, 'GET', pulls)).pulls
  if (!pull) throw new Failure('internal', 'The job opened no pull request.')
  await showDiff(client, `${pulls}/${pull.number}/diff`)

  printHeading(client, 'A follow-up on the same branch')
  const prompt =
    'Also add the missing pages to the navigation, rename "Acme CLI" to "Acme Command" and move guides/monorepos.mdx to guides/monorepo.mdx.'
  await follow(client, path, await printAndSend<JobResponse>(client, 'POST', `${path}/message`, { prompt }))
  await showFiles(client, `${path}/diff`)

  printHeading(client, 'The merge')
  const merged = await printAndSend<Pull>(client, 'POST', `${pulls}/${pull.number}/merge`)
  output.print(`  #${merged.number} is ${merged.state}; main is now:`)
  for (const line of await readLog(demo.repository.bare, 'main')) output.print(`    ${line}`)

  printHeading(client, 'The check again: it passes')
  await updateCheckout(demo.repository)
  await showCheck(client, demo.repository.checkout)
  return job.prLink
}

/** A check that finds problems ends with an error; the demo continues. */
async function showCheck(context: CommandContext, folder: string): Promise<void> {
  const { output } = context
  output.print(gray(context, `  $ docent check ${folder}`))
  const indented = { ...output, print: (line: string) => output.print(line === '' ? '' : `  ${line}`) }
  await runCheck({ ...context, output: indented }, folder, { cache: false }).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || error.code !== 'checks_failed') throw error
  })
}

type Pull = { readonly number: number; readonly state: string }

/** Creates a project, an automation and a key as an operator does, through the socket in the data directory. */
async function setUp(context: CommandContext, demo: Demo): Promise<Made & { readonly client: DemoClient }> {
  const { output } = context
  const operator = openSocketApi(demo.config)
  printHeading(context, 'A project, an automation that is ready-made, and a key')
  const { bare } = demo.repository
  output.print(gray(context, `  $ docent project create --name Acme --repository ${bare}`))
  const project = { name: 'Acme', repository: bare }
  const { id } = JSON.parse((await operator.send('POST', '/v1/projects', project)).body) as { readonly id: string }
  output.print(`  ${id}`)
  const automation = await turnOn(context, operator, id)
  output.print(gray(context, `  $ docent key create --name demo --project ${id}`))
  const wanted = { name: 'demo', scope: 'write', projectIds: [id] }
  const { key } = JSON.parse((await operator.send('POST', '/v1/keys', wanted)).body) as { readonly key: string }
  output.print(`  ${key}\n`)
  output.print(`  The calls below need it:  ${paint(output, 'bold', `export KEY=${key}`)}`)
  const { address } = demo.service
  const api = openHttpApi(address, key)
  return { client: { ...context, api, address }, projectId: id, automationId: automation.id }
}

async function turnOn(context: CommandContext, operator: Api, projectId: string): Promise<ShownAutomation> {
  const { output } = context
  const kind: AutomationKind = 'fix-broken-links'
  output.print(gray(context, `  $ docent automation create --project ${projectId} --kind ${kind}`))
  const made = await operator.send('POST', `/v1/projects/${projectId}/automations`, { kind })
  const automation = JSON.parse(made.body) as ShownAutomation
  output.print(
    `  ${automation.id}: “${automation.name}” is on, with the next run on ${automation.nextRunAt?.slice(0, 10)}`,
  )
  return automation
}

async function follow(client: DemoClient, path: string, first: JobResponse): Promise<JobResponse> {
  const { api, output, stop } = client
  output.print(gray(client, `  $ curl -N ${client.address}${path}/events -H "Authorization: Bearer $KEY"`))
  const job = await watchJob({ api, path, output, stop, clock: systemClock, indent: '  ' }, first)
  if (job.status !== 'completed') {
    throw new Failure('invalid_input', `The job is ${job.status}: ${job.error?.message ?? 'stopped'}`)
  }
  output.print(`  ${paint(output, 'green', job.status)} after ${job.usage.turns} turns: ${job.outcome}`)
  const { introduced = 0, fixed = 0, remaining = 0 } = job.checks ?? {}
  output.print(`  checks: ${introduced} introduced, ${fixed} fixed, ${remaining ?? 'not yet counted'} remaining`)
  return job
}

const shownLines = 60

async function showDiff(client: DemoClient, path: string): Promise<void> {
  const { api, output } = client
  output.print(gray(client, `  $ curl ${client.address}${path} -H "Authorization: Bearer $KEY"`))
  const { body } = await api.send('GET', path, undefined, { Accept: 'text/x-diff' })
  const lines = plainText(body).trimEnd().split('\n')
  printDiff(output, lines.slice(0, shownLines).join('\n'))
  if (lines.length > shownLines) output.print(gray(client, `  … ${lines.length - shownLines} more lines`))
}

/** Shows the diff of the branch by file, with the follow-up. */
async function showFiles(client: DemoClient, path: string): Promise<void> {
  const { api, output } = client
  output.print(gray(client, `  $ curl ${client.address}${path}.json -H "Authorization: Bearer $KEY"`))
  const { body } = await api.send('GET', `${path}.json`)
  const { files } = JSON.parse(body) as { readonly files: readonly FileDiff[] }
  for (const file of files) {
    const counts = `${paint(output, 'green', `+${file.additions}`)} ${paint(output, 'red', `-${file.deletions}`)}`
    output.print(`  ${file.status.padEnd(9)} ${plainText(file.path)}  ${counts}`)
  }
}

// Plays a writer of a task through the whole service, in a project of its own, and returns what the job left.

import { join } from 'node:path'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { type Api, openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type ChatMessage, countAnswers, type Scripted } from '../support/model-server.ts'
import { createRepository, git, pushAsPerson, show } from '../support/repository.ts'
import type { SiteFiles } from '../support/docs-sites.ts'
import type { ScriptedService } from '../support/scripted.ts'
import { type Client, createClient } from '../support/service.ts'
import type { Proposal } from './judge.ts'
import type { Automated, Task, Writer } from './task.ts'

export type Left = {
  readonly job: JobResponse
  readonly files: SiteFiles
  readonly proposal: Proposal | undefined
  /** The words of the service: in the pull request, and in the results of calls. */
  readonly said: string
  /** The messages that the model got first. */
  readonly asked: string
}

export type Desk = {
  readonly service: ScriptedService
  readonly client: Client
  readonly repository: string
  /** Starts a job. Undefined: the messages of the task do. */
  readonly start: (() => Promise<string>) | undefined
}

let desks = 0

export async function openDesk(service: ScriptedService, task: Task): Promise<Desk> {
  desks += 1
  const folder = join(service.running.folder, `task-${desks}`)
  const { automation } = task
  const [first, ...later] = automation?.source ?? []
  const source = first && createRepository(join(folder, 'source'), first)
  const repository = createRepository(folder, automation?.earlier ?? task.files)
  if (automation?.earlier) pushAsPerson(repository, 'main', task.files)
  for (const files of later) pushAsPerson(source ?? '', 'main', files)
  const { environment, addresses } = service.running
  const client = await createClient(environment, addresses, repository)
  const start =
    automation && (await turnOn(automation, { client, source, operator: openSocketApi(parseConfig(environment)) }))
  return { service, client, repository, start }
}

type Having = { readonly client: Client; readonly source: string | undefined; readonly operator: Api }

/** Returns what starts a run, and returns its job. */
async function turnOn(automation: Automated, { client, source, operator }: Having): Promise<() => Promise<string>> {
  const project = `/v1/projects/${client.projectId}`
  if (source !== undefined) await operator.send('POST', `${project}/sources`, { name: 'api', repository: source })
  if (automation.lost) await record(automation.lost, client, operator)
  const { body } = await operator.send('POST', `${project}/automations`, {
    kind: automation.kind,
    trigger: { type: 'person' },
    // Each writer begins with the documentation as it was.
    grouping: 'each',
  })
  const { id } = JSON.parse(body) as { readonly id: string }
  return async () => (await client.call<AutomationRun>('POST', `${project}/automations/${id}/run`)).jobId ?? ''
}

async function record(paths: readonly string[], client: Client, operator: Api): Promise<void> {
  const origins = ['https://docs.acme.test']
  await operator.send('POST', `/v1/projects/${client.projectId}/sites`, { name: 'Docs', origins })
  const views = paths.flatMap((path) =>
    [1, 2, 3, 1, 2, 3].map((days, at) => ({
      timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
      url: `https://docs.acme.test${path}`,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      headers: { accept: 'text/html', 'accept-language': 'en' },
      visitorId: `visitor-${at}`,
      status: 404,
    })),
  )
  await client.call('POST', `/v1/analytics/${client.projectId}/page-views`, views)
}

export async function play({ service, client, repository, start }: Desk, task: Task, writer: Writer): Promise<Left> {
  let job: JobResponse | undefined
  const before = service.model.requests.length
  if (start) {
    answerWith(service, writer.turns[0] ?? [])
    job = await client.ended(await start())
  }
  for (const [at, message] of task.messages.entries()) {
    answerWith(service, writer.turns[at] ?? [])
    const sent = job ? await client.message(job.id, message) : await client.create(message)
    job = await client.ended(sent.id)
  }
  if (!job) throw new Error('A task has at least one message.')
  const pull = (await client.pulls()).find((one) => one.jobId === job.id)
  const results = service.model.requests.slice(before).map((messages) => messages.findLast(isResult)?.content)
  return {
    job,
    files:
      job.source.ref === null || job.prLink === null
        ? task.files
        : await readBranch(repository, job.source.ref, task.files),
    // Only what the agent wrote: the notes and facts of the service are apart.
    proposal: pull && { title: pull.title, text: pull.body.slice(pull.note.length).trim() },
    asked: (service.model.requests[before] ?? []).map(({ content }) => content ?? '').join('\n'),
    said: [pull?.draft ? 'draft' : 'ready', pull?.body, ...results].join('\n'),
  }
}

/** After the last turn, the writer insists: a finish that is refused is repeated. */
function answerWith(service: ScriptedService, turns: readonly Scripted[]): void {
  const before = { answers: -1 }
  service.model.script = (messages) => {
    if (before.answers < 0) before.answers = countAnswers(messages)
    const asked = countAnswers(messages) - before.answers
    return turns[Math.min(asked, turns.length - 1)] ?? { text: 'Nothing to say.' }
  }
}

async function readBranch(repository: string, branch: string, base: SiteFiles): Promise<SiteFiles> {
  const names = await git(repository, 'diff', '--name-status', '--no-renames', 'main', branch)
  const files: Record<string, string> = { ...base }
  for (const line of names.split('\n').filter((one) => one !== '')) {
    const [status = '', path = ''] = line.split('\t')
    if (status === 'D') delete files[path]
    else files[path] = `${await show(repository, branch, path)}\n`
  }
  return files
}

function isResult({ role }: ChatMessage): boolean {
  return role === 'tool'
}

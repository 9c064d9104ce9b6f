// Plays a writer of a task through the whole service, in a project of its own, and returns what the job left.

import { join } from 'node:path'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type ChatMessage, countAnswers, type Scripted } from '../support/model-server.ts'
import { createRepository, git, show } from '../support/repository.ts'
import type { SiteFiles } from '../support/docs-sites.ts'
import type { ScriptedService } from '../support/scripted.ts'
import { type Client, createClient } from '../support/service.ts'
import type { Proposal } from './judge.ts'
import type { Task, Writer } from './task.ts'

export type Left = {
  readonly job: JobResponse
  readonly files: SiteFiles
  readonly proposal: Proposal | undefined
  /** The words of the service: in the pull request, and in the results of calls. */
  readonly said: string
}

export type Desk = { readonly service: ScriptedService; readonly client: Client; readonly repository: string }

let desks = 0

export async function openDesk(service: ScriptedService, task: Task): Promise<Desk> {
  desks += 1
  const repository = await createRepository(join(service.running.folder, `task-${desks}`), task.files)
  const client = await createClient(service.running.environment, service.running.addresses, repository)
  return { service, client, repository }
}

export async function play({ service, client, repository }: Desk, task: Task, writer: Writer): Promise<Left> {
  let job: JobResponse | undefined
  const before = service.model.requests.length
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

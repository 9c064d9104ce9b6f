// `docent pull list|show|diff|comment|update|merge|close`: the pull requests of a project.

import { type Command, InvalidArgumentError } from 'commander'
import type { PullNow, PullResponse } from '../forge/own/response.ts'
import type { CommentResponse } from '../jobs/pulls/comments.ts'
import { Failure } from '../lib/failure.ts'
import { terminalText } from '../lib/plain-text.ts'
import type { CommandContext } from './context.ts'
import { paint, printDiff, printFields, printTable } from './output.ts'
import { toDay } from './analytics/range.ts'
import { addProjectOption } from './project-option.ts'
import { type ProjectOption, withProject } from './api/with-api.ts'

type Options = ProjectOption & { readonly json?: true }
type Merged = { readonly mergedFrom?: string; readonly mergedTo?: string }
type Headers = Readonly<Record<string, string>>
type Send = (method: string, path: string, headers?: Headers, json?: unknown) => Promise<string>

export function definePull(pull: Command, context: CommandContext): void {
  const { output } = context
  const add = (usage: string, about: string) =>
    addProjectOption(pull.command(usage).description(about)).option('--json', 'print JSON')
  const addNumbered = (name: string, about: string) =>
    add(name, about).argument('<number>', 'the number of the pull request', toNumber)
  const list = add('list', 'list the pull requests')
    .option('--merged-from <day>', 'only those that were merged on this day or later', toDay)
    .option('--merged-to <day>', 'only those that were merged before this day', toDay)
  list.action(async ({ mergedFrom, mergedTo, ...options }: Options & Merged) => {
    const merged = { ...(mergedFrom && { mergedFrom }), ...(mergedTo && { mergedTo }) }
    const query = new URLSearchParams(merged).toString()
    const body = await send(context, options, (request) => request('GET', query && `?${query}`))
    const { pulls } = JSON.parse(body) as { readonly pulls: readonly PullResponse[] }
    if (options.json) output.print(body)
    else printTable(output, ['PULL', 'FORGE', 'STATE', 'TITLE', 'JOB', 'UPDATED'], pulls.map(toRow))
  })
  addNumbered('show', 'show a pull request').action(async (number: string, options: Options) => {
    const body = await send(context, options, (request) => request('GET', `/${number}`))
    if (options.json) output.print(body)
    else printPull(context, JSON.parse(body) as PullNow)
  })
  addNumbered('diff', 'show what a pull request changes').action(async (number: string, options: Options) => {
    const accept = { Accept: options.json ? 'application/json' : 'text/x-diff' }
    const body = await send(context, options, (request) => request('GET', `/${number}/diff`, accept))
    if (options.json) output.print(body)
    else if (body !== '') printDiff(output, body)
  })
  addNumbered('comment', 'comment on a line; the agent receives it as a message')
    .argument('<place>', 'the file and the line, such as guides/install.md:12', toPlace)
    .argument('<text>', 'the comment')
    .option('--before', 'the line is that before the change')
    .action(async (number: string, place: Place, text: string, options: Options & { readonly before?: true }) => {
      const comment = { ...place, at: options.before ? 'base' : 'head', text }
      const body = await send(context, options, (request) => request('POST', `/${number}/comments`, undefined, comment))
      const { path, line } = JSON.parse(body) as CommentResponse
      output.print(options.json ? body : `Sent the comment on line ${line} of ${terminalText(path)} to the job.`)
    })
  addNumbered('update', 'merge the base into the branch').action(async (number: string, options: Options) => {
    const body = await send(context, options, (request) => request('POST', `/${number}/update`))
    const { title, base } = JSON.parse(body) as PullNow
    output.print(options.json ? body : `#${number} has all of ${terminalText(base)} now: ${terminalText(title)}`)
  })
  for (const [verb, done, about] of [
    ['merge', 'Merged', 'merge the branch into its base'],
    ['close', 'Closed', 'close a pull request without merging it'],
  ] as const) {
    const command = addNumbered(verb, about)
    if (verb === 'merge') command.option('--yes', 'merge it even if it is a draft')
    command.action(async (number: string, options: Options & { readonly yes?: true }) => {
      const body = await send(context, options, async (request) => {
        if (verb === 'merge' && !options.yes) refuseDraft(JSON.parse(await request('GET', `/${number}`)) as PullNow)
        return request('POST', `/${number}/${verb}`)
      })
      const { title, base } = JSON.parse(body) as PullResponse
      const where = verb === 'merge' ? ` into ${terminalText(base)}` : ''
      output.print(options.json ? body : `${done} #${number}${where}: ${terminalText(title)}`)
    })
  }
}

function send(context: CommandContext, options: Options, work: (request: Send) => Promise<string>): Promise<string> {
  return withProject(context, options, (api, projectId) =>
    work(async (method, path, headers, json) => {
      const response = await api.send(method, `/v1/projects/${projectId}/pulls${path}`, json, headers)
      return response.body
    }),
  )
}

/** Throws `invalid_input`: a draft is merged by mistake more often than on purpose. */
export function refuseDraft({ number, draft, state }: Pick<PullNow, 'number' | 'draft' | 'state'>): void {
  if (draft && state === 'open')
    throw new Failure(
      'invalid_input',
      `#${number} is a draft. Read why with "docent pull show ${number}"; --yes merges it.`,
    )
}

function toNumber(text: string): string {
  if (/^[1-9]\d{0,8}$/.test(text)) return text
  throw new InvalidArgumentError('Write the number of a pull request, such as 3.')
}

type Place = { readonly path: string; readonly line: number }

function toPlace(text: string): Place {
  const [, path, line] = /^([^]+):([1-9]\d{0,6})$/.exec(text) ?? []
  if (path !== undefined) return { path, line: Number(line) }
  throw new InvalidArgumentError('Write a file and a line, such as guides/install.md:12.')
}

function toRow({ number, forge, state, title, jobId, updatedAt }: PullResponse): readonly string[] {
  return [`#${number}`, forge, state, terminalText(title), jobId, updatedAt]
}

function printPull({ output }: CommandContext, pull: PullNow): void {
  const colour = ({ open: 'green', merged: 'magenta', closed: 'red' } as const)[pull.state]
  const state = pull.draft && pull.state === 'open' ? 'draft' : pull.state
  const fields = {
    pull: `#${pull.number} ${pull.title}`,
    forge: pull.forge,
    state,
    branch: `${pull.branch} into ${pull.base}`,
    job: pull.jobId,
    link: pull.link,
    ...(pull.mergeCommit === null ? {} : { merged: pull.mergeCommit }),
    ...(pull.behind === null ? {} : { base: toBase(pull.base, pull.behind) }),
    updated: pull.updatedAt,
    ...(pull.checkedAt === null ? {} : { checked: toChecked(pull.checkedAt, pull.checkError) }),
  }
  printFields(output, fields, { state: paint(output, colour, state) })
  if (pull.body.trim() !== '') output.print(`\n${terminalText(pull.body.trim())}`)
}

function toBase(base: string, { commits, conflicts, checkedAt }: NonNullable<PullNow['behind']>): string {
  const as = `(${checkedAt})`
  if (commits === 0) return `${base} has nothing that is not in the branch ${as}`
  const count = `${base} has ${commits} ${commits === 1 ? 'commit' : 'commits'} that the branch does not have`
  return conflicts.length === 0
    ? `${count}: can be merged ${as}`
    : `${count}: conflicts in ${conflicts.join(', ')} ${as}`
}

function toChecked(checkedAt: string, error: PullNow['checkError']): string {
  return error === null ? checkedAt : `${checkedAt}, and not since: ${error.message} [${error.code}]`
}

// Connects a command to the API and its project. Waits for a service that is starting, and loads the whole service only
// for a command that works on the data itself.

import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Waiting } from '../../service/data-directory.ts'
import { isServed } from '../../service/socket.ts'
import { type Api, createApi, openHttpApi, openSocketApi } from './api.ts'
import { readProjects } from './projects.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'

/** Opens the API for one command, and closes it even after an error. */
export async function withApi<T>(
  context: CommandContext,
  work: (api: Api) => Promise<T>,
  needsService = false,
): Promise<T> {
  const api = await openApi(context, needsService)
  try {
    return await work(api)
  } finally {
    await api.close()
  }
}

/** The option of commands on a project: an id or a name. */
export type ProjectOption = { readonly project?: string }

/** As `withApi`, with the id of the project that `--project` or `DOCENT_PROJECT` names, or of the only one. */
export function withProject<T>(
  context: CommandContext,
  { project = context.environment['DOCENT_PROJECT'] || undefined }: ProjectOption,
  work: (api: Api, projectId: string) => Promise<T>,
  needsService = false,
): Promise<T> {
  return withApi(context, async (api) => work(api, await findProject(api, project)), needsService)
}

/** As `withProject`, for a command on a job: without `--project` and `DOCENT_PROJECT`, the project is the one of the job. */
export function withProjectOfJob<T>(
  context: CommandContext,
  { project = context.environment['DOCENT_PROJECT'] || undefined }: ProjectOption,
  jobId: string,
  work: (api: Api, projectId: string) => Promise<T>,
): Promise<T> {
  const find = (api: Api) => (project === undefined ? findProjectOfJob(api, jobId) : findProject(api, project))
  return withApi(context, async (api) => work(api, await find(api)), true)
}

/** Asks each project that the key may see: there is no address of a job without its project. */
async function findProjectOfJob(api: Api, jobId: string): Promise<string> {
  const projects = await readProjects<Named>(api)
  if (projects.length < 2) return findProject(api, undefined)
  for (const { id } of projects) {
    const path = `/v2/agent/${id}/job/${encodeURIComponent(jobId)}`
    const isThere = await api.send('GET', path).then(() => true, isMissing)
    if (isThere) return id
  }
  throw new Failure('not_found', `No project has the job ${plainText(jobId)}.`)
}

function isMissing(error: unknown): false {
  if (error instanceof Failure && error.code === 'not_found') return false
  throw error
}

type Named = { readonly id: string; readonly name: string; readonly repository: string }

/** `wanted` is an id, which is not looked up, or a name; undefined means the only project. */
export async function findProject(api: Api, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && /^prj_[a-z0-9]{20}$/.test(wanted)) return wanted
  const projects = await readProjects<Named>(api)
  const found = wanted === undefined ? projects : projects.filter(({ name }) => name === wanted)
  if (found[0] && found.length === 1) return found[0].id
  if (projects.length === 0) throw usage('There is no project yet. Create one: docent project create --help')
  // A name is not unique: the repository beside it says which project is meant.
  const toLine = ({ id, name, repository }: Named) => `\n  ${id}  ${plainText(name)}  ${plainText(repository)}`
  const known = (found.length > 0 ? found : projects).map(toLine).join('')
  if (wanted === undefined) throw usage(`Several projects exist: choose one with --project or DOCENT_PROJECT.${known}`)
  if (found.length > 1)
    throw usage(`Several projects have the name ${plainText(wanted)}: give --project one of these ids.${known}`)
  throw new Failure('not_found', `No project has the name ${plainText(wanted)}. The projects are:${known}`)
}

/** `needsService`: the command needs a worker, so it never opens the data itself. */
async function openApi(context: CommandContext, needsService: boolean): Promise<Api> {
  const { DOCENT_URL: url, DOCENT_API_KEY: key } = context.environment
  if (url) return openHttpApi(url.replace(/\/+$/, ''), key)
  const { parseConfig } = await import('../../config/config.ts')
  const config = parseConfig(context.environment)
  if (await isServed(config)) return openSocketApi(config)
  if (needsService && !existsSync(config.dataDir)) throw noService(config)
  const { enterDirectory } = await import('../../service/data-directory.ts')
  const lock = await enterDirectory(config, waitForService(context, config))
  if (lock === 'served') return openSocketApi(config)
  if (needsService) {
    lock.release()
    throw noService(config)
  }
  const { openInProcess } = await import('./in-process.ts')
  const { send, close } = await openInProcess(config, lock)
  return { ...createApi(send), close }
}

/** How a command waits for the data directory, and says so. */
export function waitForService({ json, output, stop }: CommandContext, { dataDir }: Config): Waiting {
  const onWait = () => {
    if (!json) output.warn(`${dataDir} is in use, as by a service that is starting: waiting up to 30 s for it …`)
  }
  return { onWait, clock: systemClock, signal: stop }
}

function noService({ dataDir }: Config): Failure {
  const words = 'Start one with `docent serve`, or set DOCENT_URL and DOCENT_API_KEY.'
  return new Failure('unavailable', `No service runs on ${dataDir}. ${words}`)
}

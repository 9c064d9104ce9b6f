// The whole service in this process, on a data directory of its own, with a repository and a client that holds a key.

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Environment, parseConfig } from '../../src/config.ts'
import { openSocketApi } from '../../src/cli/api.ts'
import type { JobView, MessageView } from '../../src/jobs/view.ts'
import type { PullView } from '../../src/pulls/view.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { serve, type ServeOptions, type Service } from '../../src/serve.ts'
import { type Call, validated } from './openapi-validate.ts'
import { createRepository, type Files } from './repository.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

const template: { made?: Promise<string> } = {}

/** Making a database takes seconds, copying one does not: the first data directory is the template of all others. */
export async function createDataDir(folder: string): Promise<string> {
  const made = (template.made ??= makeTemplate())
  const dataDir = join(folder, 'data')
  await cp(join(await made, 'postgres'), join(dataDir, 'postgres'), { recursive: true })
  return dataDir
}

async function makeTemplate(): Promise<string> {
  const folder = await temporaryFolder('template')
  await (await openPostgres({ kind: 'embedded', directory: join(folder, 'postgres') })).close()
  return folder
}

/** Call it in the last `after` of a file that used `createDataDir`. */
export async function removeTemplate(): Promise<void> {
  const made = template.made
  delete template.made
  if (made) await removeFolder(await made)
}

export type Client = {
  readonly projectId: string
  readonly key: string
  /** JSON in, JSON out; throws for a status that is not `expected` (default: any below 300). */
  call<T>(method: string, path: string, body?: unknown, expected?: number): Promise<T>
  fetch(path: string, init?: RequestInit): Promise<Response>
  create(prompt: string): Promise<JobView>
  message(jobId: string, prompt: string): Promise<JobView>
  job(jobId: string): Promise<JobView>
  messages(jobId: string): Promise<readonly MessageView[]>
  pulls(): Promise<readonly PullView[]>
  diff(jobId: string): Promise<string>
  /** Polls until the job is not active; fails after 30 s. */
  ended(jobId: string): Promise<JobView>
}

export type TestService = {
  readonly service: Service
  readonly folder: string
  readonly environment: Environment
  readonly repository: string
  readonly client: Client
  close(): Promise<void>
}

export async function startService(
  content: Files | string,
  settings: Environment = {},
  options: ServeOptions = {},
): Promise<TestService> {
  const folder = await temporaryFolder('service')
  const repository = await createRepository(folder, content)
  const environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_CREATES_PER_HOUR: '100000',
    DOCENT_MESSAGES_PER_HOUR: '100000',
    ...settings,
  }
  const service = await serve(parseConfig(environment), options)
  const client = await createClient(environment, service.address, repository)
  const close = async () => {
    await service.stop()
    await removeFolder(folder)
  }
  return { service, folder, environment, repository, client, close }
}

/** A new project for the repository, and a client with a key for it. Every answer is held against the document. */
export async function createClient(environment: Environment, address: string, repository: string): Promise<Client> {
  const document: unknown = await (await fetch(`${address}/openapi.json`)).json()
  const send = validated(fetch, document)
  const operator = openSocketApi(parseConfig(environment))
  const project = { name: 'Docs', repository }
  const { id } = JSON.parse((await operator.send('POST', '/v1/projects', project)).body) as { id: string }
  const wanted = { name: 'test', scope: 'write', projectIds: [id] }
  const { key } = JSON.parse((await operator.send('POST', '/v1/keys', wanted)).body) as { key: string }
  return connect({ address, projectId: id, key, send })
}

type Connection = {
  readonly address: string
  readonly projectId: string
  readonly key: string
  readonly send: Call
}

export function connect({ address, projectId, key, send }: Connection): Client {
  const jobs = `/v2/agent/${projectId}/job`
  const call = async <T>(method: string, path: string, body?: unknown, expected?: number): Promise<T> => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const response = await request(path, { method, ...init })
    const text = await response.text()
    const isExpected = expected === undefined ? response.ok : response.status === expected
    if (!isExpected) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const request = (path: string, init: RequestInit = {}) =>
    send(address + path, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    })
  const job = (jobId: string) => call<JobView>('GET', `${jobs}/${jobId}`)
  return {
    projectId,
    key,
    call,
    fetch: request,
    create: (prompt) => call('POST', jobs, { prompt }),
    message: (jobId, prompt) => call('POST', `${jobs}/${jobId}/message`, { prompt }),
    job,
    messages: async (jobId) => (await call<{ messages: MessageView[] }>('GET', `${jobs}/${jobId}/messages`)).messages,
    pulls: async () => (await call<{ pulls: PullView[] }>('GET', `/v1/projects/${projectId}/pulls`)).pulls,
    diff: async (jobId) => (await request(`${jobs}/${jobId}/diff`, { headers: { Accept: 'text/x-diff' } })).text(),
    ended: async (jobId) => {
      for (let tries = 0; tries < 600; tries += 1) {
        const now = await job(jobId)
        if (now.status !== 'active') return now
        await delay(50)
      }
      throw new Error(`${jobId} is still active`)
    },
  }
}

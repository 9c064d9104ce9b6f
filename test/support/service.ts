// The whole service inside this process, with a repository and a client that has a key: one process on a data directory,
// or, in a cluster, two servers and two workers, and a client that calls the servers in turn.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { JobResponse, MessageResponse } from '../../src/jobs/response.ts'
import type { PullResponse } from '../../src/forge/own/response.ts'
import { serve, type ServeOptions } from '../../src/service/service.ts'
import { engine, engineSettings, sharedServer } from './engine.ts'
import { type Call, documentOf, validated } from './openapi-validate.ts'
import { createRepository, type Files } from './repository.ts'
import { copyTemplate } from './template.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

/** Creates a data directory with an up-to-date database. Copying it is faster than creating it. */
export async function createDataDir(folder: string): Promise<string> {
  const dataDir = join(folder, 'data')
  await copyTemplate(join(dataDir, 'postgres'))
  return dataDir
}

export type Client = {
  readonly projectId: string
  readonly key: string
  /** Sends and returns JSON. Throws if the status is not `expected` (default: any below 300). */
  call<T>(method: string, path: string, body?: unknown, expected?: number): Promise<T>
  fetch(path: string, init?: RequestInit): Promise<Response>
  create(prompt: string): Promise<JobResponse>
  message(jobId: string, prompt: string): Promise<JobResponse>
  job(jobId: string): Promise<JobResponse>
  messages(jobId: string): Promise<readonly MessageResponse[]>
  pulls(): Promise<readonly PullResponse[]>
  diff(jobId: string): Promise<string>
  /** Polls until the job is not active; fails after two minutes: a busy machine is slow. */
  ended(jobId: string): Promise<JobResponse>
}

export type TestService = {
  /** The addresses of all processes that serve requests. */
  readonly addresses: readonly string[]
  /** The data directories of all processes. */
  readonly dataDirs: readonly string[]
  readonly folder: string
  readonly environment: Environment
  readonly repository: string
  readonly client: Client
  /** Stops all processes, runs `between`, and starts the processes again without options. Returns a new client. */
  restart(between?: () => Promise<void>): Promise<Client>
  close(): Promise<void>
}

export async function startService(
  content: Files | string,
  settings: Environment = {},
  options: ServeOptions = {},
): Promise<TestService> {
  const folder = await temporaryFolder('service')
  const repository = createRepository(folder, content)
  const environment: Environment = {
    DOCENT_DATA_DIR: engine === 'embedded' ? await createDataDir(folder) : join(folder, 'data'),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_CREATES_PER_HOUR: '100000',
    DOCENT_FORGE_READS_PER_HOUR: '100000',
    DOCENT_MESSAGES_PER_HOUR: '100000',
    ...(await engineSettings()),
    ...settings,
  }
  let processes = await startProcesses(environment, options)
  const { addresses, dataDirs } = processes
  const client = await createClient(environment, addresses, repository)
  const restart: TestService['restart'] = async (between) => {
    await processes.stop()
    await between?.()
    processes = await startProcesses(environment, {})
    const { projectId, key } = client
    return connect({ addresses: processes.addresses, projectId, key, send: await validatedFetch(processes.addresses) })
  }
  const close = async () => {
    await processes.stop()
    await removeFolder(folder)
    const url = environment['DATABASE_URL']
    if (url) await (await sharedServer()).dropDatabase(url)
  }
  return { addresses, dataDirs, folder, environment, repository, client, restart, close }
}

type Processes = {
  readonly addresses: readonly string[]
  readonly dataDirs: readonly string[]
  readonly stop: () => Promise<void>
}

/** In a cluster, starts two servers and two workers, each with its own data directory; otherwise one process. */
async function startProcesses(environment: Environment, options: ServeOptions): Promise<Processes> {
  const dataDir = environment['DOCENT_DATA_DIR'] ?? ''
  if (engine !== 'cluster') {
    const service = await serve(parseConfig(environment), options)
    return { addresses: [service.address], dataDirs: [dataDir], stop: () => service.stop() }
  }
  const first = await serve(parseConfig(environment), { ...options, role: 'server' })
  const others = await Promise.all(
    (['server', 'worker', 'worker'] as const).map((role, n) => {
      const own = { DOCENT_DATA_DIR: `${dataDir}-${n}`, DOCENT_PUBLIC_URL: first.publicUrl }
      return serve(parseConfig({ ...environment, ...own }), { ...options, role })
    }),
  )
  const stop = async () => {
    await Promise.all([first, ...others].map((one) => one.stop()))
  }
  const addresses = [first.address, others[0]?.address ?? first.address]
  return { addresses, dataDirs: [dataDir, ...others.map((_, n) => `${dataDir}-${n}`)], stop }
}

/** Creates a project for the repository, and a client with a key for it. Validates every response against the document. */
export async function createClient(
  environment: Environment,
  addresses: readonly string[],
  repository: string,
): Promise<Client> {
  const send = await validatedFetch(addresses)
  const operator = openSocketApi(parseConfig(environment))
  const project = { name: 'Docs', repository }
  const { id } = JSON.parse((await operator.send('POST', '/v1/projects', project)).body) as { id: string }
  const wanted = { name: 'test', scope: 'write', projectIds: [id] }
  const { key } = JSON.parse((await operator.send('POST', '/v1/keys', wanted)).body) as { key: string }
  return connect({ addresses, projectId: id, key, send })
}

/** `fetch` for a service. The documents of services differ only in the address of the server, which is not used here. */
export async function validatedFetch(addresses: readonly string[]): Promise<Call> {
  return validated(fetch, await documentOf('service', () => fetch(`${addresses[0]}/openapi.json`)))
}

type Connection = {
  /** The client calls these in turn. */
  readonly addresses: readonly string[]
  readonly projectId: string
  readonly key: string
  /** The headers of a caller without a key. */
  readonly caller?: Readonly<Record<string, string>>
  readonly send: Call
}

export function connect({ addresses, projectId, key, caller, send }: Connection): Client {
  let asked = 0
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
  const request = (path: string, init: RequestInit = {}) => {
    asked += 1
    const headers = { ...(caller ?? { Authorization: `Bearer ${key}` }), ...(init.headers as Record<string, string>) }
    return send(`${addresses[asked % addresses.length]}${path}`, { ...init, headers })
  }
  const job = (jobId: string) => call<JobResponse>('GET', `${jobs}/${jobId}`)
  return {
    projectId,
    key,
    call,
    fetch: request,
    create: (prompt) => call('POST', jobs, { prompt }),
    message: (jobId, prompt) => call('POST', `${jobs}/${jobId}/message`, { prompt }),
    job,
    messages: async (jobId) =>
      (await call<{ messages: MessageResponse[] }>('GET', `${jobs}/${jobId}/messages`)).messages,
    pulls: async () => (await call<{ pulls: PullResponse[] }>('GET', `/v1/projects/${projectId}/pulls`)).pulls,
    diff: async (jobId) => (await request(`${jobs}/${jobId}/diff`, { headers: { Accept: 'text/x-diff' } })).text(),
    ended: async (jobId) => {
      for (let tries = 0; tries < 2_400; tries += 1) {
        const now = await job(jobId)
        if (now.status !== 'active') return now
        await delay(50)
      }
      throw new Error(`${jobId} is still active`)
    },
  }
}

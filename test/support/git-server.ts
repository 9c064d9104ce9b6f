// A git server on the loopback interface for tests: the real `git http-backend`, with faults on request. Records requests,
// so a test can count fetches.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import type { GitOptions, Repository } from '../../src/git/types.ts'
import {
  type Cleanup,
  type TestRemote,
  createRemote,
  plainEnvironment,
  temporaryFolder,
  testGit,
} from './git-remote.ts'

/** A fault: replaces the real response, or damages it. */
export type Fault =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  /** Resets the connection before the response. */
  | { readonly kind: 'reset' }
  /** Never responds. */
  | { readonly kind: 'stall' }
  /** Handles the request completely, and loses the response. */
  | { readonly kind: 'lose answer' }
  /** Sends this many bytes of a longer response, then resets the connection. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Sends this many bytes of a longer response, then nothing. */
  | { readonly kind: 'hold'; readonly bytes: number; readonly reached?: () => void }

export type GitServer = {
  /** `host:port`, for `privateHosts`. */
  readonly host: string
  /** The address of the repository. */
  readonly address: string
  /** `GET /remote.git/info/refs?service=git-upload-pack`, in order. */
  readonly requests: string[]
  /** Called for every request. It may wait, which delays the request. */
  fault: ((request: IncomingMessage) => Fault | undefined | Promise<Fault | undefined>) | undefined
  /** The only Basic login that is accepted. If undefined, anyone may read and push. */
  login: Login | undefined
  /** The login of each request, in order; null if the request had no login. */
  readonly logins: (Login | null)[]
}

export type Login = { readonly username: string; readonly password: string }

/** Serves one bare repository until the test ends. Pushing is allowed. */
export async function serveGit(t: Cleanup, repository: string): Promise<GitServer> {
  const backend = createBackend(dirname(repository))
  const server = createServer((request, response) => {
    void handle(git, backend, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const git: GitServer = {
    host,
    address: `http://${host}/${basename(repository)}`,
    requests: [],
    fault: undefined,
    login: undefined,
    logins: [],
  }
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await backend.close()
  })
  return git
}

/** Opens a repository over HTTP. Its remote has one file on the branch main. */
export async function servedRepository(t: Cleanup, given: Partial<GitOptions> = {}): Promise<Served> {
  const remote = createRemote(t)
  remote.commit('main', { 'a.md': 'a' })
  const server = await serveGit(t, remote.directory)
  const git = await testGit(t, { privateHosts: [server.host], ...given })
  return { server, remote, repository: git.repository('prj_test', server.address) }
}

export type Served = { readonly server: GitServer; readonly remote: TestRemote; readonly repository: Repository }

export type ServedHistory = Served & {
  /** The folder of the mirrors. */
  readonly directory: string
  readonly mirror: string
  /** The commits of main, the oldest first. */
  readonly commits: readonly string[]
}

/** The same with four commits, which add a page each. It is not fetched. */
export async function servedHistory(t: Cleanup, given: Partial<GitOptions> = {}): Promise<ServedHistory> {
  const directory = join(temporaryFolder(t), 'mirrors')
  const served = await servedRepository(t, { directory, ...given })
  const first = served.remote.head('main') ?? ''
  const others = ['b', 'c', 'd'].map((text) => served.remote.commit('main', { 'a.md': text, [`${text}.md`]: text }))
  return { ...served, directory, mirror: join(directory, 'prj_test.git'), commits: [first, ...others] }
}

/** Runs `git http-backend` for the bare repositories in a folder. */
export type Backend = {
  /** `path` replaces the path of the request. Any caller may push. */
  run(request: IncomingMessage, path?: string): Promise<Answer>
  /** Ends the processes and waits until they have ended. */
  close(): Promise<void>
}

export function createBackend(root: string): Backend {
  const children = new Set<ChildProcessWithoutNullStreams>()
  return {
    run: async (request, path) => {
      const url = new URL(request.url ?? '/', 'http://loopback')
      const child = startBackend(root, path ?? decodeURIComponent(url.pathname), request)
      children.add(child)
      const chunks: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.stderr.resume()
      child.stdin.on('error', () => {})
      request.pipe(child.stdin)
      await once(child, 'close')
      children.delete(child)
      return parseAnswer(Buffer.concat(chunks))
    },
    close: async () => {
      const gone = [...children].map(async (child) => await once(child, 'close'))
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(gone)
    },
  }
}

async function handle(
  git: GitServer,
  backend: Backend,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  git.requests.push(`${request.method} ${request.url}`)
  const login = readLogin(request)
  git.logins.push(login)
  const fault = (await git.fault?.(request)) ?? refuseLogin(git, login)
  if (fault?.kind === 'reset') return void request.socket.resetAndDestroy()
  if (fault?.kind === 'stall') return
  if (fault?.kind === 'answer') return void response.writeHead(fault.status, fault.headers).end(fault.body)
  const answer = await backend.run(request)
  if (fault?.kind === 'lose answer') return void request.socket.resetAndDestroy()
  response.writeHead(answer.status, answer.headers)
  const isLonger = (fault?.kind === 'cut' || fault?.kind === 'hold') && answer.body.length > fault.bytes
  if (!isLonger) return void response.end(answer.body)
  const part = answer.body.subarray(0, fault.bytes)
  response.write(part, () => (fault.kind === 'cut' ? request.socket.resetAndDestroy() : fault.reached?.()))
}

/** Whether the request asks for objects, and not for a list of refs. */
export async function asksForObjects(request: IncomingMessage): Promise<boolean> {
  return (await startOfBody(request))?.includes('command=fetch') === true
}

/** The first bytes of what a POST sends; it can still be read. */
export async function startOfBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (request.method !== 'POST') return undefined
  await once(request, 'readable')
  const chunk = request.read() as Buffer | null
  if (chunk !== null) request.unshift(chunk)
  return chunk ?? undefined
}

function readLogin(request: IncomingMessage): Login | null {
  const [, encoded] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return { username: text.slice(0, text.indexOf(':')), password: text.slice(text.indexOf(':') + 1) }
}

function refuseLogin({ login }: GitServer, sent: Login | null): Fault | undefined {
  if (login === undefined) return undefined
  if (sent?.username === login.username && sent.password === login.password) return undefined
  const headers = { 'WWW-Authenticate': 'Basic realm="loopback"', 'Content-Type': 'text/plain' }
  return { kind: 'answer', status: 401, headers, body: 'Log in first.' }
}

export type Answer = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Buffer
}

function startBackend(root: string, path: string, request: IncomingMessage): ChildProcessWithoutNullStreams {
  return spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      ...plainEnvironment,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'tester',
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: new URL(request.url ?? '/', 'http://loopback').search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      CONTENT_LENGTH: request.headers['content-length'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: [request.headers['git-protocol']].flat().join(','),
    },
  })
}

function parseAnswer(output: Buffer): Answer {
  const end = output.indexOf('\r\n\r\n')
  const lines = output.toString('latin1', 0, Math.max(end, 0)).split('\r\n')
  const headers = Object.fromEntries(
    lines
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number((headers['Status'] ?? '200').split(' ')[0])
  return { status, headers, body: output.subarray(end + 4) }
}

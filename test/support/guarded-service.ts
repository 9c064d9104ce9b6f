// A service in a process of its own that holds a secret of every kind, each made for this test: tokens of forges, the key
// of an App and the tokens that it mints, a password, a key of ssh, a key of a model, its own keys. Everything that it
// shows is kept, by place.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { runCommand, spawnCommand } from './command.ts'
import { engine, engineSettings } from './engine.ts'
import { startForge, type TestForge } from './forge/forge.ts'
import type { Files } from './git-objects.ts'
import { type Cleanup, createRemote, type TestRemote } from './git-remote.ts'
import { type GitServer, serveGit } from './git-server.ts'
import { type ModelServer, type Script, startModelServer } from './model-server.ts'
import { type ProcessWatch, watchProcesses } from './process-watch.ts'
import { createSecretSearch, type Secret, type SecretSearch } from './secret-search.ts'
import { createDataDir } from './service.ts'
import { serveSsh, type SshServer } from './ssh-server.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'
import { startTraceCollector, type TraceCollector } from './trace-collector.ts'

/** Is put beside every secret, and never secret: a place where it is missing was not reached. */
export const mark = `marker-${randomBytes(12).toString('hex')}`

export type Hosts = {
  readonly app: TestForge
  readonly github: TestForge
  readonly gitlab: TestForge
  readonly plain: { readonly server: GitServer; readonly remote: TestRemote }
  readonly ssh: { readonly server: SshServer; readonly remote: TestRemote }
}
export type HostName = keyof Hosts

export type GuardedService = {
  readonly hosts: Hosts
  readonly modelKey: string
  /** Secrets that the service holds and that its model should never have seen. */
  readonly canaries: readonly string[]
  readonly password: string
  /** Searched for from now on. */
  readonly alsoSecret: (secret: Secret) => void
  readonly model: ModelServer
  readonly collector: TraceCollector
  readonly environment: Environment
  readonly folder: string
  readonly projects: Readonly<Record<HostName, string>>
  readonly search: SecretSearch
  readonly watched: ProcessWatch
  readonly key: string
  /** Sends a request with a key that may do all, and keeps the response. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<string>
  /** A command of `docent`; keeps what it prints. */
  readonly docent: (args: readonly string[], input?: string) => Promise<{ readonly code: number | null }>
  /** The shown texts, by place. */
  readonly shown: Readonly<Record<'responses' | 'commands' | 'log' | 'stdout', string[]>>
  readonly stop: () => Promise<void>
}

const files: Files = { 'docs/a.md': `# A\n\n${mark}\n`, 'AGENTS.md': `Write about ${mark}.\n` }
const hostNames = ['app', 'github', 'gitlab', 'plain', 'ssh'] as const

export async function startGuardedService(t: Cleanup, script: Script): Promise<GuardedService> {
  const model = await startModelServer(script)
  const collector = await startTraceCollector()
  t.after(async () => await Promise.all([model.close(), collector.close()]))
  const hosts = await startHosts(t)
  const own = {
    password: `p4ss/w+rd"%${randomBytes(18).toString('base64')}`,
    modelKey: `sk-${randomBytes(30).toString('base64')}`,
    unusedKey: `sk-ant-${randomBytes(30).toString('base64url')}`,
    collectorKey: randomBytes(24).toString('base64url'),
    secretKey: randomBytes(32),
  }
  hosts.plain.server.login = { username: 'writer', password: own.password }
  const app = hosts.app.createApp()
  const tokens = { github: hosts.github.createToken().value, gitlab: hosts.gitlab.createToken().value }
  const folder = join(await temporaryFolder('guarded'), mark)
  await mkdir(folder)
  t.after(() => removeFolder(join(folder, '..')))
  const environment: Environment = {
    ...(engine === 'cluster' ? await engineSettings() : {}),
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'debug',
    DOCENT_MODEL: `compatible/${mark}`,
    DOCENT_ANTHROPIC_API_KEY: own.unusedKey,
    DOCENT_SECRET_KEY: own.secretKey.toString('base64'),
    DOCENT_PRIVATE_REPOSITORY_HOSTS: [...hostsOf(hosts), new URL(model.baseUrl).host].join(','),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${own.collectorKey}`,
    TMPDIR: folder,
  }
  const running = await startProcess(t, environment, folder)
  const operator = openSocketApi(parseConfig(environment))
  const made = await operator.send('POST', '/v1/keys', { name: mark, scope: 'admin', projectIds: null })
  const { key } = JSON.parse(made.body) as { key: string }
  const fixed: readonly Secret[] = [
    { name: 'token of GitHub', value: tokens.github },
    { name: 'token of GitLab', value: tokens.gitlab },
    { name: 'password', value: own.password },
    { name: 'key of the model', value: own.modelKey },
    { name: 'key of another model', value: own.unusedKey },
    { name: 'key of the collector', value: own.collectorKey },
    { name: 'key of the service', value: own.secretKey },
    { name: 'key of the API', value: key },
    // The numbers of an RSA key begin with those that its public key has.
    { name: 'key of the App', value: derOf(app.privateKey).subarray(300) },
    { name: 'key of ssh', value: seedOf(hosts.ssh.server.user) },
    { name: 'marker', value: mark },
  ]
  const also: Secret[] = []
  const minted = () => hosts.app.tokens.map(({ value }, at) => ({ name: `minted token ${at}`, value }))
  const search = createGrowingSearch(fixed, () => [...minted(), ...also])
  const watched = watchProcesses(search, running.pid)
  t.after(async () => await watched.stop())
  const shown = { responses: [] as string[], commands: [] as string[], log: running.log, stdout: running.stdout }
  const ask: GuardedService['ask'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const own = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers }
    const response = await fetch(`${running.address}${path}`, { method, headers: own, redirect: 'manual', ...json })
    const text = await response.text()
    shown.responses.push(`${JSON.stringify([...response.headers])}\n${text}`)
    return text
  }
  const docent: GuardedService['docent'] = async (args, input) => {
    const ran = await runCommand(args, environment, { readInput: () => Promise.resolve(input ?? '') })
    shown.commands.push(ran.stdout, ran.stderr)
    return ran
  }
  const projects = await connect(hosts, { ask, app, tokens, password: own.password })
  const set = ['model', 'key', 'set', 'compatible', '--base-url', model.baseUrl, '--key-file', '-']
  await docent(set, own.modelKey)
  const { stop } = running
  return {
    hosts,
    model,
    collector,
    environment,
    folder,
    projects,
    search,
    watched,
    key,
    ask,
    docent,
    shown,
    stop,
    modelKey: own.modelKey,
    canaries: [
      own.unusedKey,
      own.collectorKey,
      own.secretKey.toString('base64'),
      own.password,
      key,
      tokens.github,
      tokens.gitlab,
      app.privateKey,
      hosts.ssh.server.user.private,
    ],
    password: own.password,
    alsoSecret: (secret) => void also.push(secret),
  }
}

async function startHosts(t: Cleanup): Promise<Hosts> {
  const [app, github, gitlab] = [
    await startForge(t, { kind: 'github', files }),
    await startForge(t, { kind: 'github', files }),
    await startForge(t, { kind: 'gitlab', files }),
  ]
  const [plain, ssh] = [createRemote(t), createRemote(t)]
  for (const remote of [plain, ssh]) remote.commit('main', files)
  return {
    app,
    github,
    gitlab,
    plain: { server: await serveGit(t, plain.directory), remote: plain },
    ssh: { server: await serveSsh(t, ssh.directory), remote: ssh },
  }
}

function hostsOf({ app, github, gitlab, plain, ssh }: Hosts): readonly string[] {
  return [app.host, github.host, gitlab.host, plain.server.host, ssh.server.host]
}

async function startProcess(t: Cleanup, environment: Environment, folder: string) {
  const child = spawnCommand(['serve'], environment, folder)
  const [log, stdout]: [string[], string[]] = [[], []]
  child.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text))
  const ended = once(child, 'close')
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
  }
  t.after(stop)
  const first = once(
    child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text)),
    'data',
  )
  const line = await Promise.race([first, ended.then(() => undefined)])
  if (line === undefined) throw new Error(`the service did not start: ${log.join('')}`)
  // A second line, with the link of the first account, may come with it.
  const [address = ''] = /http:\S+/.exec(String(line[0])) ?? []
  return { address, pid: child.pid ?? 0, log, stdout, stop }
}

type Given = {
  readonly ask: GuardedService['ask']
  readonly app: ReturnType<TestForge['createApp']>
  readonly tokens: { readonly github: string; readonly gitlab: string }
  readonly password: string
}

/** Makes a project for each host, and gives it its credential. */
async function connect(hosts: Hosts, { ask, app, tokens, password }: Given): Promise<GuardedService['projects']> {
  await ask('PUT', '/v1/forge-apps', { webUrl: hosts.app.web, appId: app.id, privateKey: app.privateKey })
  const { server } = hosts.ssh
  const table: Readonly<Record<HostName, readonly [repository: string, credential: object]>> = {
    app: [hosts.app.repository, { installationId: app.installationId }],
    github: [hosts.github.repository, { forge: 'github', token: tokens.github }],
    gitlab: [hosts.gitlab.repository, { forge: 'gitlab', token: tokens.gitlab }],
    plain: [hosts.plain.server.address, { forge: 'git', user: 'writer', token: password }],
    ssh: [`ssh://git@${server.host}/o/r.git`, { privateKey: server.user.private, hostKey: server.hostKey }],
  }
  const ids = hostNames.map(async (name) => {
    const [repository, credential] = table[name]
    const { id } = JSON.parse(await ask('POST', '/v1/projects', { name: `${mark} ${name}`, repository })) as {
      id: string
    }
    await ask('PUT', `/v1/projects/${id}/credential`, credential)
    return [name, id] as const
  })
  return Object.fromEntries(await Promise.all(ids)) as GuardedService['projects']
}

function createGrowingSearch(fixed: readonly Secret[], others: () => readonly Secret[]): SecretSearch {
  const built = { count: -1, search: createSecretSearch([]) }
  return (content) => {
    const more = others()
    if (built.count !== more.length) {
      Object.assign(built, { count: more.length, search: createSecretSearch([...fixed, ...more]) })
    }
    return built.search(content)
  }
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64')
}

/** The 32 secret bytes of an Ed25519 key; the public ones follow them. */
function seedOf({ private: pem, public: line }: { readonly private: string; readonly public: string }): Buffer {
  const bytes = derOf(pem)
  const at = bytes.lastIndexOf(Buffer.from(line.split(' ')[1] ?? '', 'base64').subarray(-32))
  return bytes.subarray(at - 32, at)
}

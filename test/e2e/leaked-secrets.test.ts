// No secret of the service reaches any place that it writes or shows, although hosts, proxies and a model repeat what they
// were sent, and people put secrets in the wrong place. The words around each secret hold a marker: a place that lacks it
// was not reached, and would prove nothing.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { echoOf, type Echo, errorPacket, page, redirect, refusal, refusedPush } from '../support/echoing-hosts.ts'
import { engine } from '../support/engine.ts'
import { type GuardedService, type HostName, mark, startGuardedService } from '../support/guarded-service.ts'
import { type ChatMessage, countAnswers, type Scripted } from '../support/model-server.ts'
import { finish, write } from '../support/scripted.ts'
import { dumpTables, readFiles, readMirrors } from '../support/secret-places.ts'
import { sampled } from '../support/rounds.ts'

type Case = {
  readonly host: HostName
  /** `GET /user` or `git upload-pack refs`, as the loopback forges name them. */
  readonly on: RegExp
  readonly says: Echo
  /** The work that meets it: a job, which fails, or a check of the credential. */
  readonly by: 'job' | 'check'
}

const elsewhere = 'http://127.0.0.1:1'
const plain = 'text/plain'
/** The branch of the latest job of each project. */
const branches = new Map<string, string>()
const refuse = (host: HostName): Echo => refusedPush(() => `refs/heads/${branches.get(service.projects[host])}`)
const cases: readonly Case[] = [
  { host: 'github', on: /^(POST|PATCH) /, says: refusal(403), by: 'job' },
  { host: 'github', on: /^GET /, says: refusal(401), by: 'check' },
  { host: 'github', on: /^GET /, says: redirect(elsewhere), by: 'job' },
  { host: 'github', on: /^git /, says: page(401, plain), by: 'check' },
  { host: 'github', on: /^git receive-pack$/, says: refuse('github'), by: 'job' },
  { host: 'app', on: /access_tokens$/, says: refusal(401), by: 'job' },
  { host: 'app', on: /^POST .*commits$/, says: refusal(422), by: 'job' },
  { host: 'gitlab', on: /^(POST|PUT) /, says: refusal(422), by: 'job' },
  { host: 'gitlab', on: /^GET /, says: page(502), by: 'check' },
  { host: 'gitlab', on: /^git /, says: page(403, plain), by: 'check' },
  { host: 'plain', on: /^git /, says: redirect(elsewhere), by: 'check' },
  { host: 'plain', on: /^git upload-pack refs$/, says: errorPacket, by: 'check' },
  { host: 'plain', on: /^git receive-pack$/, says: refuse('plain'), by: 'job' },
]

let service: GuardedService

/** The script of the model: it writes a file, fails with its key in the words, or repeats its key in pieces and in calls. */
function script(messages: readonly ChatMessage[]): Scripted {
  const asked = /Please (\w+)/.exec(messages.findLast(({ role }) => role === 'user')?.content ?? '')?.[1]
  const { modelKey } = service
  const words = echoOf(modelKey, mark)
  const canaries = [...service.canaries, ...service.hosts.app.tokens.map(({ value }) => value)]
  const all = canaries.map((one) => echoOf(one, mark)).join('\n')
  const answers: Readonly<Record<string, readonly Scripted[]>> = {
    refuse: [{ status: 400, says: words }],
    redirect: [{ status: 302, headers: { Location: `${elsewhere}/?key=${encodeURIComponent(modelKey)}` } }],
    tell: [
      {
        text: [`${mark} `, modelKey.slice(0, 3), modelKey.slice(3, 20), modelKey.slice(20), ` and ${words}`],
        calls: [
          { name: 'write_file', input: { path: 'docs/key.md', content: words } },
          { name: words.slice(0, 300), input: { [words]: words } },
        ],
      },
      { calls: [{ name: 'read_file', input: { path: words } }] },
      {
        text: [all.slice(0, 999), all.slice(999)],
        calls: [{ name: 'write_file', input: { path: 'docs/all.md', content: all } }],
      },
      {
        calls: [
          { name: 'search', input: { pattern: canaries[0] ?? '', [all]: all } },
          { name: all, input: {} },
        ],
      },
      { calls: [{ name: 'finish', input: { title: `${canaries.at(-1)}${mark}`, summary: all } }] },
      { text: words, calls: [{ name: 'finish', input: { title: words.slice(0, 100), summary: words } }] },
    ],
  }
  const own = [write(`docs/${asked}.md`, `# ${mark}\n`), finish]
  return (answers[asked ?? ''] ?? own)[countAnswers(messages)] ?? finish
}

/** Runs a job to its end, and follows its events; returns its status. */
async function run(projectId: string, prompt: string): Promise<string> {
  const jobs = `/v2/agent/${projectId}/job`
  const { id } = JSON.parse(await service.ask('POST', jobs, { prompt: `${mark}. Please ${prompt}` })) as { id: string }
  branches.set(projectId, `docent/${id}`)
  await service.ask('GET', `${jobs}/${id}/events`, undefined, { Accept: 'text/event-stream' })
  return (JSON.parse(await service.ask('GET', `${jobs}/${id}`)) as { status: string }).status
}

/** Sets what the host sends instead of its response. All processes are inspected while git waits for one. */
function setFault(name: HostName, on: RegExp, says: Echo): { readonly said: number } {
  const { hosts, watched, password, alsoSecret } = service
  const state = { said: 0 }
  if (name === 'ssh') return state
  const answer = (route: string, secret: string) => {
    if (route.startsWith('git ')) watched.look()
    if (!on.test(route)) return undefined
    state.said += 1
    // In the JWT of an App, nobody else can make the signature.
    if (secret.startsWith('eyJ')) alsoSecret({ name: 'signature of the App', value: secret.split('.')[2] ?? '' })
    return says(echoOf(secret, mark))
  }
  if (name !== 'plain') hosts[name].fault = ({ route, secret }) => answer(route, secret)
  else hosts.plain.server.fault = ({ url = '' }) => answer(gitRoute(url), password)
  return state
}

function gitRoute(path: string): string {
  const name = /git-(upload|receive)-pack$/.exec(path)?.[0].replace('git-', '')
  return `git ${name}${path.includes('/info/refs') ? ' refs' : ''}`
}

const never = /^$/

async function workOn(host: HostName): Promise<void> {
  const projectId = service.projects[host]
  setFault(host, never, page(500))
  assert.equal(await run(projectId, 'begin'), 'completed', host)
  for (const { on, says, by } of sampled(cases).filter((one) => one.host === host)) {
    const state = setFault(host, on, says)
    if (by === 'check') await service.ask('POST', `/v1/projects/${projectId}/credential/check`, {})
    else assert.equal(await run(projectId, 'continue'), 'failed', `${host} ${on}`)
    assert.ok(state.said > 0, `${host} was not asked for ${on}`)
  }
}

/** Makes the mistakes of people who take one field, address or header for another. */
async function misplace(): Promise<void> {
  const { ask, docent, hosts, modelKey: secret, projects } = service
  const credential = `/v1/projects/${projects.github}/credential`
  for (const address of [hosts.github.repository, 'https://example.com/a/b', 'ssh://example.com/a/b']) {
    const repository = address.replace('://', `://${mark}:${encodeURIComponent(secret)}@`)
    await ask('POST', '/v1/projects', { name: mark, repository })
    await ask('PUT', credential, { forge: 'github', token: mark, apiUrl: repository })
    await docent(['project', 'create', '--name', mark, '--repository', repository])
    await docent(['model', 'key', 'set', 'openai', '--base-url', repository, '--key-file', '-'], secret)
  }
  for (const body of [`${secret} ${mark}`, `{"forge": "github", "token": "${secret}`, { token: [secret] }]) {
    await ask('PUT', credential, body)
  }
  await ask('PUT', credential, { forge: secret, token: secret, user: secret, [secret]: secret })
  await ask('PUT', credential, { privateKey: `${secret}\n`, hostKey: secret })
  await ask('PUT', '/v1/forge-apps', { webUrl: secret, appId: 1, privateKey: secret })
  await ask('GET', `/v1/projects?token=${encodeURIComponent(secret)}`)
  await ask('HEAD', `/v1/projects/${encodeURIComponent(secret)}`)
  await ask('GET', '/v1/projects', undefined, { Authorization: `Basic ${btoa(`x:${secret}`)}` })
  await docent(['project', 'credential', 'set', projects.github, '--token', secret])
}

/** Asks for everything that the document lists, except page views, which have an engine of their own. */
async function readAll(): Promise<void> {
  const { ask, projects } = service
  const { paths } = JSON.parse(await ask('GET', '/openapi.json')) as { paths: Record<string, object> }
  const gets = Object.entries(paths).flatMap(([path, operations]) => ('get' in operations ? [path] : []))
  const plain = gets.filter((path) => !path.includes('/analytics/'))
  const fill = (path: string, name: string, values: readonly string[]) =>
    path.includes(name) ? values.map((value) => path.replace(name, value)) : [path]
  const work = Object.values(projects).map(async (projectId) => {
    const list = await ask('GET', `/v2/agent/${projectId}/jobs`)
    const jobs = [...list.matchAll(/job_[0-9a-z]{20}/g)].map(([id]) => id)
    const ofProject = plain.filter((path) => path.includes('{projectId}'))
    const named = ofProject.flatMap((path) => fill(path.replace('{projectId}', projectId), '{id}', jobs))
    for (const path of named.flatMap((one) => fill(one, '{number}', ['1']))) await ask('GET', path)
  })
  await Promise.all(work)
  for (const path of plain.filter((one) => !one.includes('{'))) await ask('GET', path)
}

async function useCommands(): Promise<void> {
  const { docent, folder, projects } = service
  for (const host of ['github', 'plain'] as const) {
    setFault(host, /^GET |^git /, page(403, plain))
    await docent(['forge', 'check', '--project', projects[host], '--write'])
    await docent(['project', 'credential', 'show', projects[host]])
  }
  for (const args of [['doctor'], ['model', 'key', 'list'], ['github', 'apps']]) await docent(args)
  if (engine !== 'cluster') assert.equal((await docent(['backup', join(folder, 'backup.tar.gz')])).code, 0)
}

suite('secrets', () => {
  const cleanups: (() => unknown)[] = []
  let tables: readonly string[] = []
  before(async () => {
    service = await startGuardedService({ after: (clean) => void cleanups.push(clean as () => unknown) }, script)
    const { projects } = service
    await Promise.all((Object.keys(projects) as HostName[]).map(workOn))
    setFault('plain', never, page(500))
    for (const prompt of ['refuse', 'redirect', 'tell']) await run(projects.plain, prompt)
    assert.equal(await run(projects.plain, `tell ${service.canaries.join(' ')}`), 'completed')
    await service.watched.stop()
    await misplace()
    await readAll()
    await useCommands()
    await service.stop()
    tables = await dumpTables(service.environment)
  })
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean()
  })

  const places: Readonly<Record<string, () => readonly (string | Uint8Array)[]>> = {
    'the tables': () => tables,
    'the files of the service, its backup and its temporary files': () => readFiles(service.folder),
    'the objects and settings of the mirrors': () => readMirrors(join(service.folder, 'data/mirrors')),
    'the log and the output': () => [...service.shown.log, ...service.shown.stdout],
    'the responses and events of the API': () => service.shown.responses,
    'the output of commands': () => service.shown.commands,
    'the requests to the model': () => [JSON.stringify(service.model.requests)],
    'the traces': () => service.collector.bodies,
    'the pull requests and the objects of the hosts': () => {
      const { app, github, gitlab, plain, ssh } = service.hosts
      const texts = [app, github, gitlab].map(({ pulls }) => JSON.stringify(pulls))
      const objects = [app, github, gitlab, plain, ssh].flatMap(({ remote }) =>
        readMirrors(join(remote.directory, '..')),
      )
      return [...texts, ...objects]
    },
  }
  for (const [place, read] of Object.entries(places)) {
    test(`no secret is in ${place}`, () => {
      const found = read().flatMap((content) => service.search(content))
      assert.deepEqual(new Set(found.filter((one) => !one.startsWith('marker, '))), new Set())
      assert.ok(found.length > 0, 'this place was not reached')
    })
  }

  test('no process that the service starts shows a secret', () => {
    const found = [...service.watched.seen]
    assert.deepEqual(
      found.filter((one) => !one.includes(': marker, ')),
      [],
    )
    assert.deepEqual(found.toSorted(), ['cmdline: marker, plain', 'environ: marker, plain'])
  })
})

// The command line without a service and beside one, run in this process. What needs a process of its own is in
// process.test.ts.

import assert from 'node:assert/strict'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import type { Environment } from '../../src/config/environment.ts'
import { type CommandResult, runCommand, startCommand } from '../support/command.ts'
import { createRepository } from '../support/repository.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let environment: Environment
let repository: string

before(async () => {
  folder = await temporaryFolder('cli')
  repository = createRepository(folder, { 'index.md': '# Acme CLI\n\nUse the Acme CLI.\n' })
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
  }
})
after(async () => {
  await removeFolder(folder)
})

function docent(args: readonly string[], extra: Environment = {}): Promise<CommandResult> {
  return runCommand(args, { ...environment, ...extra })
}

async function json<T>(args: readonly string[], extra: Environment = {}): Promise<T> {
  const ran = await docent([...args, '--json'], extra)
  assert.equal(ran.code, 0, ran.stderr)
  return JSON.parse(ran.stdout) as T
}

/** `docent serve` until the end of the test, and the address of its one line. */
async function serve(t: TestContext): Promise<string> {
  const { line, stop } = await startCommand(['serve'], environment)
  t.after(stop)
  const address = /^docent listens on (http:\S+)$/.exec(line)?.[1]
  assert.ok(address, line)
  return address
}

test('projects and keys are made on the data directly, and a service then knows them', async (t) => {
  const project = await json<{ projectId: string }>(['project', 'create', '--name', 'Docs', '--repository', repository])
  assert.match(project.projectId, /^prj_[0-9a-z]{20}$/)
  const key = await json<{ id: string; key: string }>(['key', 'create', '--name', 'k', '--project', project.projectId])
  assert.match(key.key, /^docent_[0-9A-Za-z]{46}$/)
  const address = await serve(t)
  const path = `${address}/v2/agent/${project.projectId}/jobs`
  assert.equal((await fetch(path, { headers: { Authorization: `Bearer ${key.key}` } })).status, 200)
  await docent(['key', 'revoke', key.id])
  assert.equal((await fetch(path, { headers: { Authorization: `Bearer ${key.key}` } })).status, 401)
})

test('a running service is reached through its socket, which only its owner may use', async (t) => {
  await serve(t)
  const socket = await stat(join(environment['DOCENT_DATA_DIR'] ?? '', 'docent.sock'))
  assert.equal(socket.mode & 0o777, 0o600)
  const { projectId } = await json<{ projectId: string }>([
    'project',
    'create',
    '--name',
    'Two',
    '--repository',
    repository,
  ])
  const prompt = ['--project', projectId, '--prompt', 'Rename "Acme CLI" to "Acme Command"']
  const job = await json<{ id: string; status: string }>(['job', 'create', ...prompt, '--watch'])
  assert.equal(job.status, 'completed')
  const diff = await docent(['job', 'diff', job.id, '--project', projectId])
  assert.match(diff.stdout, /\+Use the Acme Command\./)
  assert.match((await docent(['job', 'show', job.id])).stdout, /^usage +\d+ turns$/m)
  const list = await docent(['job', 'list', '--project', projectId])
  assert.match(
    list.stdout,
    new RegExp(`^JOB .*INSTRUCTION.*\\n${job.id} +completed +\\S+ +Rename "Acme CLI" to "Acme C`),
  )
})

test('projects, sites and keys are changed and ended from the command line', async (t) => {
  await serve(t)
  const named = ['--name', 'Four', '--repository', repository]
  const { projectId } = await json<{ projectId: string }>(['project', 'create', ...named, '--budget', 'turns=9'])
  type Shown = { readonly budget: { turns: number | null; tokens: number | null }; readonly pathPolicy: object }
  const options = ['--budget', 'tokens=5000', '--deny', 'legal/', '*.txt', '--time-zone', 'Europe/Berlin']
  const changed = await json<Shown>(['project', 'update', projectId, ...options])
  assert.deepEqual([changed.budget.turns, changed.budget.tokens], [9, 5_000])
  assert.deepEqual(changed.pathPolicy, {
    allow: [],
    deny: ['legal/', '*.txt'],
    unprotect: [],
    imageHosts: [],
    expected: { paths: [], components: [], keys: [] },
    deletedPercent: null,
  })
  assert.equal((await json<Shown>(['project', 'update', projectId, '--reset', 'budget'])).budget.turns, null)

  const place = ['--project', projectId]
  const origins = ['--origin', 'https://a.example', 'https://b.example', '--honour-opt-out', 'yes']
  const site = await json<{ id: string; honoursOptOut: boolean; tag: string }>([
    'site',
    'create',
    ...place,
    '--name',
    's',
    ...origins,
  ])
  assert.equal(site.honoursOptOut, true)
  assert.match(
    site.tag,
    new RegExp(`^<script defer src="http://127\\.0\\.0\\.1:\\d+/v1/script\\.js" data-site="${site.id}"></script>$`),
  )
  await json(['site', 'update', site.id, ...place, '--name', 'renamed'])
  assert.match((await docent(['site', 'list', ...place])).stdout, /renamed +https:\/\/a\.example https:\/\/b\.example/)
  await json(['site', 'delete', site.id, ...place])
  const tagged = await docent(['site', 'create', ...place, '--name', 't', ...origins], {
    DOCENT_PUBLIC_URL: 'https://docent.example.com/tools',
  })
  const tag = (address: string) =>
    new RegExp(`\n<script defer src="${address}/v1/script\\.js" data-site="site_\\w+"></script>\n$`)
  assert.match(tagged.stdout, tag('https://docent\\.example\\.com/tools'))
  assert.equal(tagged.stderr, '')
  const local = await docent(['site', 'create', ...place, '--name', 'u', ...origins])
  assert.match(local.stdout, tag('http://127\\.0\\.0\\.1:\\d+'))
  assert.match(local.stderr, /^Readers cannot reach http:\/\/127\.0\.0\.1:\d+\/\. Set DOCENT_PUBLIC_URL /)

  type ShownKey = { readonly id: string; readonly key: string; readonly expiresAt: string | null }
  const limits = ['--expires', '30', '--address', '192.0.2.0/24', '2001:db8::1']
  const old = await json<ShownKey>(['key', 'create', '--name', 'k', ...place, ...limits])
  assert.ok(Math.abs(Date.parse(old.expiresAt ?? '') - Date.now() - 30 * 86_400_000) < 60_000)
  const fresh = await json<ShownKey>(['key', 'rotate', old.id, '--overlap', '1h', '--expires', 'never'])
  assert.equal(fresh.expiresAt, null)
  assert.notEqual(fresh.key, old.key)
  const list = (await docent(['key', 'list'])).stdout
  assert.match(list, new RegExp(`${old.id} .* replaced `))
  assert.match(list, new RegExp(`${fresh.id} .* active +never`))
  await json(['key', 'revoke', fresh.id])
  assert.match((await docent(['key', 'rotate', fresh.id])).stderr, /is revoked/)
  assert.match((await docent(['key', 'create', '--name', 'k', '--expires', 'soon'])).stderr, /number of days/)

  assert.match((await docent(['project', 'delete', projectId])).stderr, /--yes/)
  await json(['project', 'delete', projectId, '--yes'])
  assert.match((await docent(['project', 'show', projectId])).stderr, /no such project/)
})

test('a job that fails makes the command fail, with advice', async (t) => {
  await serve(t)
  const { projectId } = await json<{ projectId: string }>([
    'project',
    'create',
    '--name',
    'Three',
    '--repository',
    repository,
  ])
  const ran = await docent(['job', 'create', '--project', projectId, '--prompt', 'Write me a poem', '--watch'])
  assert.equal(ran.code, 3)
  assert.match(ran.stderr, /DOCENT_MODEL/)
  const args = ['job', 'create', '--project', projectId, '--prompt', 'Write me a poem', '--watch', '--json']
  const shown = await docent(args)
  assert.equal(shown.code, 3)
  assert.equal((JSON.parse(shown.stdout) as { status: string }).status, 'failed')
  assert.equal((JSON.parse(shown.stderr) as { code: string }).code, 'model_not_configured')
})

test('over HTTP the same commands need an address and a key', async (t) => {
  const address = await serve(t)
  const { key } = await json<{ key: string }>(['key', 'create', '--name', 'http', '--scope', 'admin'])
  const far = { DOCENT_URL: address, DOCENT_API_KEY: key, DOCENT_DATA_DIR: join(folder, 'elsewhere') }
  assert.ok((await json<unknown[]>(['project', 'list'], far)).length > 0)
  const wrong = await docent(['project', 'list'], { ...far, DOCENT_API_KEY: 'docent_wrong' })
  assert.equal(wrong.code, 1)
})

test('an invalid data directory is a configuration error', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  for (const data of [file, join(file, 'below')]) {
    const ran = await docent(['serve'], { DOCENT_DATA_DIR: data })
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^docent: DOCENT_DATA_DIR cannot be used: .*a-file.*\n$/)
  }
})

test('an address and a key that cannot be sent are refused and not repeated', async () => {
  const url = 'http://127.0.0.1:1'
  const table = [
    [{ DOCENT_URL: 'nowhere', DOCENT_API_KEY: 'docent_x' }, /DOCENT_URL must be/],
    [{ DOCENT_URL: 'https://user:hidden@host.invalid', DOCENT_API_KEY: 'docent_x' }, /DOCENT_URL must be/],
    [{ DOCENT_URL: url, DOCENT_API_KEY: 'docent_…hidden' }, /DOCENT_API_KEY is not a key/],
    [{ DOCENT_URL: url, DOCENT_API_KEY: 'docent_hidden\u0001' }, /DOCENT_API_KEY is not a key/],
  ] as const
  for (const [environment, words] of table) {
    const ran = await docent(['project', 'list'], environment)
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, words)
    assert.doesNotMatch(ran.stderr, /hidden| at /)
  }
})

test('a service that cannot make its socket ends, and says so', async () => {
  const data = await createDataDir(join(folder, 'blocked'))
  await mkdir(join(data, 'docent.sock', 'inside'), { recursive: true })
  const ran = await docent(['serve'], { DOCENT_DATA_DIR: data })
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /docent\.sock/)
})

test('an unsupported platform is reported with advice', async () => {
  const table = [
    [['job', 'list', '--project', 'prj_x'], 4, 'unavailable', /No service runs on .* `docent serve`/],
    [['project', 'create', '--name', 'x', '--repository', 'ftp://example.com/x'], 1, 'invalid_input', /https/],
    [['project', 'show', 'prj_00000000000000000000'], 1, 'not_found', /no such project/],
    [['serv'], 2, 'invalid_input', /unknown command/],
    [[], 2, 'invalid_input', /docent serve|missing/],
    [['key', 'create'], 2, 'invalid_input', /--name/],
    [['analytics', 'summary', '--colour'], 2, 'invalid_input', /unknown option '--colour'/],
    [['job', 'create', '--project', 'prj_x'], 2, 'invalid_input', /--prompt or with --file/],
    [['job', 'create', '--project', 'prj_x', '--prompt', ' '], 2, 'invalid_input', /The instruction is empty/],
    [['job', 'create', '--project', 'prj_x', '--file', '/nowhere'], 2, 'invalid_input', /instruction cannot be read/],
  ] as const
  for (const [args, exitCode, code, message] of table) {
    const ran = await docent(args)
    assert.equal(ran.code, exitCode, args.join(' '))
    assert.match(ran.stderr, message)
    const shown = await docent([...args, '--json'])
    assert.deepEqual([shown.code, shown.stdout], [exitCode, ''], args.join(' '))
    const problem = JSON.parse(shown.stderr) as { code: string; detail: string; exitCode: number }
    if (args.length > 0) assert.deepEqual([problem.code, problem.exitCode], [code, exitCode])
  }
  for (const [args, help] of [
    [['serv'], 'docent --help lists the commands'],
    [['analytics', 'summary', '--colour'], 'docent analytics summary --help says more'],
    [['key', 'creat'], 'docent key --help says more'],
  ] as const)
    assert.ok((await docent(args)).stderr.endsWith(`\n(${help})\n`), args.join(' '))
  const wrong = await docent(['migrate'], { DOCENT_PORT: 'x' })
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /DOCENT_PORT must be/)
})

test('every command that prints has JSON', async (t) => {
  const { schema } = await json<{ schema: string[] }>(['migrate'])
  assert.ok(schema.includes('0001-jobs'))
  const { id } = await json<{ id: string }>(['key', 'create', '--name', 'k'])
  assert.deepEqual(await json(['key', 'revoke', id]), { id, revoked: true })
  const { line, stop } = await startCommand(['serve', '--json'], environment)
  t.after(stop)
  assert.match((JSON.parse(line) as { address: string }).address, /^http:/)
})

test('every command explains itself', async () => {
  const commands = [
    '',
    'serve',
    'migrate',
    'demo',
    'project',
    'project create',
    'key',
    'project update',
    'site',
    'site create',
    'key create',
    'key rotate',
    'job',
    'job create',
    'job watch',
    'pull',
    'analytics import',
    'backup',
  ]
  const answers = await Promise.all(
    commands.map((command) => docent([...command.split(' ').filter(Boolean), '--help'])),
  )
  for (const answer of answers) assert.match(answer.stdout, /^Usage: docent/)
})

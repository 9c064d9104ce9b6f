// The template that starts a job from a pipeline of GitLab: its script runs as a runner runs it, with the packed client, against a service.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { packages as names } from '../../src/lib/release/names.ts'
import { version } from '../../src/service/version.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { createRepository } from '../support/repository.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { packOnce } from './packed.ts'

type Job = { readonly variables: Readonly<Record<string, string>>; readonly script: readonly string[] }

const template = new URL('../../integrations/gitlab/job.yml', import.meta.url)
let folder: string
let job: Job
let given: Readonly<Record<string, string>>
let stop: () => Promise<unknown>

before(async () => {
  folder = await temporaryFolder('gitlab-job')
  job = (parse(await readFile(template, 'utf8')) as { 'docent-job': Job })['docent-job']
  const environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
  }
  const json = async <T>(args: readonly string[]) =>
    JSON.parse((await runCommand([...args, '--json'], environment)).stdout) as T
  const repository = createRepository(folder, { 'index.md': '# Acme CLI\n\nUse the Acme CLI.\n' })
  const started = await startCommand(['serve'], environment)
  stop = started.stop
  const project = await json<{ projectId: string }>(['project', 'create', '--name', 'A', '--repository', repository])
  const { key } = await json<{ key: string }>(['key', 'create', '--name', 'ci', '--project', project.projectId])
  const { packages } = await packOnce()
  given = {
    DOCENT_CLIENT_PACKAGE: packages.find(({ name }) => name === 'client')?.tarball ?? '',
    DOCENT_URL: started.line.split(' ').at(-1) ?? '',
    DOCENT_API_KEY: key,
    DOCENT_PROJECT: project.projectId,
    CI_SERVER_URL: 'https://gitlab.example.com',
    CI_PROJECT_DIR: folder,
    PATH: `${dirname(execPath)}:${process.env['PATH']}`,
    TMPDIR: folder,
  }
})
after(async () => {
  await stop()
  await removeFolder(folder)
})

async function start(variables: Readonly<Record<string, string>>) {
  // npm gets its settings from the machine.
  const env = { ...process.env, ...job.variables, ...given, ...variables }
  const ended = await promisify(execFile)('bash', ['-e', '-c', job.script.join('\n')], { env, cwd: folder }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { readonly code: number; readonly stdout: string; readonly stderr: string },
  )
  const lines = await readFile(join(folder, 'docent-job.env'), 'utf8').catch(() => '')
  return { ...ended, variables: Object.fromEntries(lines.split('\n').map((line) => line.split('='))) as object }
}

test('a pipeline of GitLab starts a job once, and later jobs get its pull request', async () => {
  assert.equal(job.variables['DOCENT_CLIENT_PACKAGE'], `${names.client}@${version}`)
  const asked = { DOCENT_PROMPT: 'Replace "Acme CLI" with "Acme Command" in index.md', CI_JOB_ID: '1' }
  const { code, stdout, stderr, variables } = await start(asked)
  assert.equal(code, 0, stderr)
  const { DOCENT_JOB: id, DOCENT_PULL_REQUEST: link, ...rest } = variables as Readonly<Record<string, string>>
  assert.deepEqual(rest, { '': undefined, DOCENT_JOB_STATUS: 'completed', DOCENT_JOB_OUTCOME: 'pull_request' })
  assert.match(stdout, new RegExp(`^Job ${id}$`, 'm'))
  assert.ok(stdout.includes(`The pull request is ready: ${link}`))
  const again = await start(asked)
  assert.deepEqual(again.variables, variables, 'the same attempt of a job')
})

test('a job that fails fails the job of GitLab, and a missing key is said', async () => {
  const failed = await start({ DOCENT_PROMPT: 'Write a poem about ducks', CI_JOB_ID: '2' })
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /^The job failed \(model_not_configured\): /m)
  const { code, stderr } = await start({ DOCENT_PROMPT: 'x', DOCENT_API_KEY: '', CI_JOB_ID: '3' })
  assert.equal(code, 1)
  assert.match(stderr, /^DOCENT_API_KEY is not set\./m)
})

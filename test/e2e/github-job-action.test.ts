// The action that starts a job from a workflow of GitHub, as a runner starts it, against a service.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runCommand, startCommand } from '../support/command.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { createRepository } from '../support/repository.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const action = fileURLToPath(new URL('../../integrations/github/job/index.mjs', import.meta.url))

let folder: string
let address: string
let stop: () => Promise<unknown>
let project: string
let key: string

before(async () => {
  folder = await temporaryFolder('action')
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
  address = started.line.split(' ').at(-1) ?? ''
  project = (await json<{ projectId: string }>(['project', 'create', '--name', 'A', '--repository', repository]))
    .projectId
  key = (await json<{ key: string }>(['key', 'create', '--name', 'ci', '--project', project])).key
})
after(async () => {
  await stop()
  await removeFolder(folder)
})

async function start(inputs: Readonly<Record<string, string>>, runId: string) {
  const [output, summary] = [join(folder, `output-${runId}`), join(folder, `summary-${runId}`)]
  for (const file of [output, summary]) await writeFile(file, '')
  const given = { url: address, 'api-key': key, project, 'timeout-minutes': '2', ...inputs }
  const env = {
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_RUN_ID: runId,
  }
  const ended = await promisify(execFile)(execPath, [action], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { readonly code: number; readonly stdout: string },
  )
  const lines = (await readFile(output, 'utf8')).split('\n')
  const outputs = Object.fromEntries(
    lines.flatMap((line, at) => (line.includes('<<') ? [[line.split('<<')[0] ?? '', lines[at + 1] ?? '']] : [])),
  )
  return { ...ended, outputs, summary: await readFile(summary, 'utf8') }
}

test('a workflow starts a job once, waits for it and links its pull request', async () => {
  const prompt = 'Replace "Acme CLI" with "Acme Command" in index.md'
  const { code, stdout, outputs, summary } = await start({ prompt }, '1')
  assert.equal(code, 0, stdout)
  assert.match(stdout, new RegExp(`^::add-mask::${key}$`, 'm'))
  assert.match(outputs['link'] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/pulls\//)
  assert.deepEqual(
    { ...outputs, job: '', link: '' },
    { job: '', status: 'completed', outcome: 'pull_request', link: '' },
  )
  assert.equal(summary, `Job \`${outputs['job']}\`: pull request, [pull request](${outputs['link']}).\n`)
  const again = await start({ prompt }, '1')
  assert.equal(again.outputs['job'], outputs['job'], 'the same attempt of a workflow')
  const other = await start({ prompt: 'Replace "Acme Command" with "Acme" in index.md', 'timeout-minutes': '0' }, '1')
  assert.equal(other.code, 0, other.stdout)
  assert.notEqual(other.outputs['job'], outputs['job'], 'another job of a matrix')
})

test('a job that fails fails the step, and says why', async () => {
  const { code, stdout, outputs } = await start({ prompt: 'Write a poem about ducks' }, '2')
  assert.equal(code, 1)
  assert.equal(outputs['status'], 'failed')
  assert.match(stdout, /^::error title=Docent::The job failed \(model_not_configured\): /m)
})

test('a wrong key, and a missing input, are said', async () => {
  const wrong = await start({ prompt: 'x', 'api-key': 'docent_wrong' }, '3')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /^::error title=Docent::401: /m)
  const missing = await start({ prompt: '' }, '4')
  assert.match(missing.stdout, /^::error title=Docent::The input `prompt` is missing\./m)
})

test('a service that is away for a moment is asked again', async (t) => {
  const seen: (string | undefined)[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming.headers['idempotency-key']?.toString())
    if (seen.length === 1) return outgoing.writeHead(503, { 'Retry-After': '1' }).end('away')
    const job = { id: 'job_1', status: 'completed', outcome: 'no_changes', prLink: null }
    return outgoing.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(job))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { code, outputs, stdout } = await start({ prompt: 'x', url }, '5')
  assert.equal(code, 0, stdout)
  assert.deepEqual(outputs, { job: 'job_1', status: 'completed', outcome: 'no_changes', link: '' })
  assert.equal(new Set(seen).size, 1)
  assert.equal(seen.length, 2)
})

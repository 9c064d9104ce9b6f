// Clients that three generators make from the served OpenAPI document compile, and work against the service; and the package
// of our own client is one that all resolve. The packages that this needs are installed in this folder only:
// npm ci --prefix test/clients

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseConfig } from '../../src/config/config.ts'
import { writeClient } from '../../scripts/packages/client.ts'
import { packFolder } from '../../scripts/packages/pack.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { toBlocks } from '../support/examples.ts'
import { startService, type TestService } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import type { Calls, Service } from './src/calls.ts'

const folder = import.meta.dirname
const generated = join(folder, 'generated')
const document = join(generated, 'openapi.json')

/** Runs a package's command; resolves with what it printed, rejects with that when it fails. */
async function run(command: string, ...args: readonly string[]): Promise<string> {
  const bin = join(folder, 'node_modules/.bin', command)
  const environment = {
    ...process.env,
    NO_COLOR: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const { stdout } = await promisify(execFile)(bin, args, { cwd: folder, env: environment }).catch(
    ({ message, stdout }: Error & { readonly stdout?: string }) => assert.fail(`${message}\n${stdout}`),
  )
  return stdout
}

suite('clients generated from the OpenAPI document', () => {
  let service: TestService
  before(async () => {
    service = await startService({ 'index.md': '# Acme CLI\n\nInstall Acme CLI first.\n' })
    await rm(generated, { recursive: true, force: true })
    await mkdir(generated)
    await writeFile(document, await (await fetch(`${service.addresses[0]}/openapi.json`)).text())
    await Promise.all([
      run('openapi-typescript', document, '-o', join(generated, 'openapi-typescript.ts')),
      run(
        'openapi-ts',
        '-i',
        document,
        '-o',
        join(generated, 'hey-api'),
        '-c',
        '@hey-api/client-fetch',
        '--no-log-file',
      ),
      run('orval', '--config', join(folder, 'src/orval.config.mjs')),
    ])
  })
  after(async () => {
    await service.close()
    await rm(generated, { recursive: true, force: true })
  })

  test('Redocly finds no error and no warning in the document', async () => {
    const { totals } = JSON.parse(await run('redocly', 'lint', document, '--extends=recommended', '--format=json')) as {
      totals: { errors: number; warnings: number }
    }
    assert.deepEqual([totals.errors, totals.warnings], [0, 0])
  })

  test('the clients and the code that uses them compile', async () => {
    assert.equal(await run('tsc', '-p', folder), '')
  })

  for (const name of ['openapi-fetch', 'hey-api', 'orval']) {
    test(`${name} creates a job, follows it, and counts visitors`, async () => {
      const { project, calls } = await connect(name)
      const created = await calls.create('Rename "Acme CLI" to "Acme Command"')
      const job = await ended(calls, created)
      assert.equal(job.status, 'completed')
      assert.match(job.prLink ?? '', /\/pulls\//)
      assert.deepEqual(await calls.files(created), ['index.md'])
      assert.equal(await calls.message(created, 'Rename "Acme Command" to "Acme Tool"'), 'active')
      assert.equal((await ended(calls, created)).status, 'completed')
      const events = await calls.events(created)
      assert.equal(events.filter((type) => type === 'job_ended').length, 2)
      assert.deepEqual([events[0], events.at(-1)], ['message', 'job_ended'])
      assert.equal(await calls.visitors(), 1)
      assert.equal(await calls.missing(), 'not_found')
      assert.match(project, /^prj_/)
    })
  }

  /** A project of its own with one visitor, and the bundled client for it. */
  async function connect(name: string): Promise<{ readonly project: string; readonly calls: Calls }> {
    const { environment, repository, addresses } = service
    const baseUrl = addresses[0] ?? ''
    const operator = openSocketApi(parseConfig(environment))
    const send = async <T>(path: string, body: unknown) =>
      JSON.parse((await operator.send('POST', path, body)).body) as T
    const { id: projectId } = await send<{ id: string }>('/v1/projects', { name, repository })
    const { key } = await send<{ key: string }>('/v1/keys', { name, scope: 'write', projectIds: [projectId] })
    const pageView = { timestamp: Date.now(), path: '/install', userAgent: chrome, visitorId: 'one' }
    await send(`/v1/analytics/${projectId}/page-views`, [pageView])
    const bundle = join(generated, `${name}.bundle.mjs`)
    await run(
      'esbuild',
      join(folder, 'src', `${name}.ts`),
      '--bundle',
      '--format=esm',
      '--platform=node',
      `--outfile=${bundle}`,
    )
    const client = (await import(bundle)) as { readonly connect: (service: Service) => Calls }
    return { project: projectId, calls: client.connect({ baseUrl, key, projectId }) }
  }

  async function ended(calls: Calls, id: string): Promise<Awaited<ReturnType<Calls['get']>>> {
    for (let tries = 0; tries < 600; tries += 1) {
      const job = await calls.get(id)
      if (job.status !== 'active') return job
      await delay(50)
    }
    return assert.fail(`${id} is still active`)
  }
})

suite('the package of @docent/client', () => {
  const root = join(folder, '../..')
  /** Packages are looked up from here upward, so this finds `openapi-fetch` of this folder. */
  const place = join(folder, 'generated-client')
  const installed = join(place, 'node_modules/@docent/client')
  let tarball: string
  before(async () => {
    await rm(place, { recursive: true, force: true })
    await mkdir(installed, { recursive: true })
    await writeClient(root, installed, '0.0.0')
    tarball = await packFolder(installed, place)
  })
  after(() => rm(place, { recursive: true, force: true }))

  test('its types and its modules are found by every resolution of modules', async () => {
    const { analysis } = JSON.parse(await run('attw', tarball, '--profile', 'esm-only', '--format', 'json')) as {
      analysis: { entrypoints: Record<string, unknown> }
    }
    assert.deepEqual(Object.keys(analysis.entrypoints), ['.', './api', './express', './hono', './fetch'])
    assert.match(await run('publint', 'run', installed, '--strict', '--pack', 'npm'), /All good!/)
  })

  test('its README is the guide, and the examples compile for those who install it', async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8')
    assert.doesNotMatch(readme, /\]\((?!#)/)
    const blocks = toBlocks(readme)
    assert.ok(blocks.size > 5)
    for (const [heading, code] of blocks) await writeFile(join(place, `${heading}.mts`), typed(code))
    await writeFile(join(place, 'wrong.mts'), wrong)
    const options = { ...strict, noEmit: true }
    await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.mts'] }))
    assert.equal(await run('tsc', '-p', place), '')
  })

  test('recorders load without the packages that only the API client needs', async () => {
    const alone = await temporaryFolder('recorders')
    try {
      await cp(installed, join(alone, 'node_modules/@docent/client'), { recursive: true })
      const load = async (entry: string) => {
        const code = `await import('@docent/client${entry}')`
        const options = { cwd: alone, env: { PATH: process.env['PATH'] } }
        await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], options)
      }
      await Promise.all(['', '/express', '/hono', '/fetch'].map(load))
      await assert.rejects(load('/api'), /Cannot find package 'openapi-fetch'/)
    } finally {
      await removeFolder(alone)
    }
  })
})

/** As people write it in TypeScript: settings are there. */
function typed(code: string): string {
  return code.replaceAll(/process\.env\.(\w+)/g, "String(process.env['$1'])")
}

const wrong = `import { createClient } from '@docent/client/api'
const docent = createClient({ url: '', key: '' })
const params = { path: { projectId: 'prj_1' } }
// @ts-expect-error -- there is no such path
await docent.GET('/v1/nothing')
// @ts-expect-error -- the prompt is missing
await docent.POST('/v2/agent/{projectId}/job', { params, body: {} })
const { data } = await docent.GET('/v1/projects')
// @ts-expect-error -- projects have no such field
data.projects[0]?.nothing
`

const strict = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: ['../../../node_modules/@types'],
}

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

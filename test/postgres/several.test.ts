// Two containers of compose.server.yaml, and the processes of the example in the guide, start with the commands and environments
// written there, and work together. Only addresses, ports and folders are others here: there is no Docker.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import type { Environment } from '../../src/config/environment.ts'
import { startCommand } from '../support/command.ts'
import { engineSettings } from '../support/engine.ts'
import { createRepository } from '../support/repository.ts'
import { createClient } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

type Process = { readonly args: readonly string[]; readonly environment: Environment }
type Compose = {
  readonly services: Readonly<Record<string, { readonly environment?: Environment }>>
}

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

async function readCompose(): Promise<readonly Process[]> {
  const given = { DOCENT_PUBLIC_URL: 'https://docent.example.com' } as Environment
  const yaml = await read('compose.server.yaml')
  const filled = yaml.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => given[name] ?? 'aSecret1')
  const { environment = {} } = (parse(filled) as Compose).services['docent'] ?? assert.fail()
  return [1, 2].map(() => ({ args: ['serve'], environment }))
}

async function readGuide(): Promise<readonly Process[]> {
  const guide = await read('docs/guides/postgresql.md')
  const blocks = Array.from(guide.matchAll(/```sh\n(.*?)```/gs), ([, block = '']) => block)
  const toVariables = (text: string) =>
    Object.fromEntries(Array.from(text.matchAll(/([A-Z_]+)=(\S+)/g), ([, name = '', value = '']) => [name, value]))
  const exported = blocks.slice(0, 2).flatMap((block) => block.match(/^export .*$/gm) ?? [])
  const shared = Object.assign({}, ...exported.map(toVariables)) as Environment
  const lines = blocks[1]?.match(/^DOCENT_DATA_DIR.*$/gm) ?? []
  return lines.map((line) => ({
    args: line.slice(line.indexOf(' docent ') + 8).split(' '),
    environment: { ...shared, ...toVariables(line) },
  }))
}

/** Starts the processes in order, and lets a job run through the servers. */
async function assertWorkTogether(t: TestContext, processes: readonly Process[]): Promise<void> {
  const folder = await temporaryFolder('several')
  t.after(() => removeFolder(folder))
  const engines = await engineSettings()
  const here = { DOCENT_PORT: '0', DOCENT_LOG_LEVEL: 'error', DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true' }
  const addresses: string[] = []
  const environments: Environment[] = []
  for (const [at, { args, environment }] of processes.entries()) {
    assert.match(environment['DATABASE_URL'] ?? '', /^postgres:\/\/docent:\w+@[\w.]+:5432\/docent$/)
    assert.match(environment['CLICKHOUSE_URL'] ?? '', /^http:\/\/docent:\w+@[\w.]+:8123\/docent$/)
    const port = environment['DOCENT_WORKER_PORT'] && { DOCENT_WORKER_PORT: '0' }
    const own = { ...environment, ...engines, ...here, ...port, DOCENT_DATA_DIR: join(folder, String(at)) }
    const running = await startCommand([...args, '--json'], own)
    t.after(() => running.stop())
    environments.push(own)
    const { address, publicUrl } = JSON.parse(running.line) as Record<'address' | 'publicUrl', string>
    assert.equal(publicUrl, 'https://docent.example.com')
    if (args[0] === 'serve') addresses.push(address)
  }
  assert.equal(addresses.length, 2)
  const repository = createRepository(folder, { 'index.md': '# Acme CLI\n' })
  const client = await createClient(environments[0] ?? {}, addresses, repository)
  const { id } = await client.create('Rename "Acme CLI" to "Acme Command"')
  const { status, outcome } = await client.ended(id)
  assert.deepEqual([status, outcome], ['completed', 'pull_request'])
}

test('two containers of the compose file work together', async (t) => {
  await assertWorkTogether(t, await readCompose())
})

test('the processes of the guide work together, and no two share a port or a folder', async (t) => {
  const processes = await readGuide()
  const folders = processes.map(({ environment }) => environment['DOCENT_DATA_DIR'])
  const ports = processes.flatMap(({ environment, args }) => (args[0] === 'serve' ? [environment['DOCENT_PORT']] : []))
  assert.deepEqual([new Set(folders).size, new Set(ports).size, ports.includes(undefined)], [4, 2, false])
  await assertWorkTogether(t, processes)
})

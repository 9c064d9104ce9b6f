// The modules that a command loads. Loading is most of what a short command costs, and unlike time it can be counted exactly:
// `node bench/start.ts` prints the time.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { resultOf, spawnPreloaded } from '../support/command.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const recorder = fileURLToPath(new URL('../support/loaded-modules.ts', import.meta.url))
const runner = fileURLToPath(new URL('../support/run-commands.ts', import.meta.url))

/** Nothing listens there: a command loads all that it needs before it finds that out. */
const client = {
  DOCENT_URL: 'http://127.0.0.1:1',
  DOCENT_API_KEY: 'docent_x',
  DOCENT_PROJECT: 'prj_00000000000000000000',
}

const engines = /\/src\/(?:git|jobs\/(?!response)|http|postgres|clickhouse|agent|service\/(?!version|socket))/

for (const { args, most } of [
  { args: ['--version'], most: 8 },
  { args: ['--help'], most: 9 },
]) {
  test(`docent ${args.join(' ')} loads no engine and no package but commander`, async (t) => {
    const list = await listFor(t)
    const ran = await resultOf(spawnPreloaded(recorder, args, { ...client, LOADED_MODULES: list }, dirname(list)))
    assert.equal(ran.code, 0, ran.stderr)
    checkModules(await readModules(list), most)
  })
}

/** In this order in one process, with the most files that each may load beyond those before it. */
const commands: readonly (readonly [command: string, most: number])[] = [
  ['project list', 29],
  ['project credential show prj_00000000000000000000', 6],
  ['project policy docs/a.md', 4],
  ['job list', 6],
  ['job create --prompt x', 2],
  ['job message job_1 --prompt x', 2],
  ['job watch job_1', 2],
  ['pull list', 3],
  ['key list', 6],
  ['site list', 3],
  ['automation list', 7],
  ['debt', 2],
  ['webhook list', 2],
  ['analytics summary', 9],
  ['analytics export', 6],
  ['forge check', 3],
  ['model list', 3],
  ['github apps', 5],
]

test('commands that talk to a service load no engine and no package but commander', async (t) => {
  const list = await listFor(t)
  const COMMANDS = JSON.stringify(commands.map(([command]) => command.split(' ')))
  const env = { PATH: process.env['PATH'], ...client, COMMANDS, LOADED_MODULES: list }
  const ran = await resultOf(spawn(process.execPath, ['--import', recorder, runner], { env, cwd: dirname(list) }))
  assert.equal(ran.code, 0, ran.stderr)
  let modules = await readModules(list)
  for (const [command, most] of commands) {
    const end = modules.indexOf(`after ${command}`)
    assert.notEqual(end, -1, modules.filter((line) => line.startsWith('failed')).join('\n'))
    checkModules(modules.slice(0, end), most)
    modules = modules.slice(end + 1)
  }
})

const service = new URL('../../src/service/service.ts', import.meta.url).href

test('a service loads no parser of its threads, and no database before it opens', async (t) => {
  const list = await listFor(t)
  const options = { env: { PATH: process.env['PATH'], LOADED_MODULES: list }, cwd: dirname(list) }
  const script = `await import(${JSON.stringify(service)})`
  const ran = await resultOf(
    spawn(process.execPath, ['--import', recorder, '--input-type=module', '-e', script], options),
  )
  assert.equal(ran.code, 0, ran.stderr)
  const unused =
    /\/node_modules\/(?:remark-|rehype-|mdast-|micromark|pg\/|@electric-sql\/|chdb\/|@ai-sdk\/(?!provider\/)|ai\/|nodemailer\/|@modelcontextprotocol\/)/
  const modules = await readModules(list)
  assert.ok(modules.includes(service))
  assert.deepEqual(
    modules.filter((url) => unused.test(url)),
    [],
  )
})

async function listFor(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('loaded')
  t.after(() => removeFolder(folder))
  return join(folder, 'modules')
}

async function readModules(list: string): Promise<readonly string[]> {
  return (await readFile(list, 'utf8')).trimEnd().split('\n')
}

/** `most`: files of our own. */
function checkModules(modules: readonly string[], most: number): void {
  const packages = new Set(modules.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
  const own = modules.filter((url) => url.includes('/src/'))
  packages.delete('commander')
  assert.deepEqual([...packages], [])
  assert.deepEqual(
    own.filter((url) => engines.test(url)),
    [],
  )
  assert.ok(own.length <= most, `${own.length} files:\n${own.join('\n')}`)
  assert.ok(!modules.includes('node:sqlite'))
}

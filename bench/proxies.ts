// Imports a log from behind a CDN into a real service as a person would: first without an option, then as the hint says. Run it
// with `node bench/proxies.ts`. The figures are the same in every run.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeProxiedLog } from '../test/support/proxied-log.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'

const run = promisify(execFile)
const launcher = fileURLToPath(new URL('../bin/docent.cjs', import.meta.url))
const folder = await temporaryFolder('bench-proxies')
const log = join(folder, 'access.log')
const until = Date.parse(new Date().toISOString().slice(0, 10))
const { lines, readers } = makeProxiedLog(98_177, until, 90)
await writeFile(log, `${lines.join('\n')}\n`)
const env = { PATH: process.env['PATH'], DOCENT_DATA_DIR: join(folder, 'data'), DOCENT_PORT: '0' }
const service = spawn(process.execPath, [launcher, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
await once(service.stdout, 'data')

const create = ['project', 'create', '--name', 'Behind a CDN', '--repository', 'https://example.com/r.git', '--json']
const { id } = JSON.parse(await docent(create)) as { readonly id: string }
const window = ['project', 'update', id, '--visitor-window', 'never']
await docent(window)
const project = ['--project', id]
console.log(await docent(['analytics', 'import', log, ...project]))
console.log(`visitors ${await visitors()}, readers ${readers}`)
await docent(['analytics', 'erase-imported', ...project, '--since', '2000-01-01', '--yes'])
console.log(await docent(['analytics', 'import', log, ...project, '--address-from', 'forwarded']))
console.log(`visitors ${await visitors()}, readers ${readers}`)
service.kill('SIGTERM')
await once(service, 'exit')
await removeFolder(folder)

async function docent(args: readonly string[]): Promise<string> {
  return (await run(process.execPath, [launcher, ...args], { env, maxBuffer: 1 << 26 })).stdout
}

async function visitors(): Promise<number> {
  const since = new Date(until - 91 * 86_400_000).toISOString().slice(0, 10)
  const args = ['analytics', 'summary', ...project, '--from', since, '--json']
  return (JSON.parse(await docent(args)) as { readonly totals: { readonly total: number } }).totals.total
}

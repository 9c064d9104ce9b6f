// How long a service takes to start, the first time and later: this checkout, the package that is made from it, and other
// folders with a Docent, such as a checkout of an earlier revision. They start in turn, so that a busy machine slows all of them.
// Prints medians in seconds, in starts of bare Node.js, and as ratios to the others. Run it with
// `node bench/serve.ts [rounds] [folder…]`, after `npm run build`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { pack } from '../scripts/packages/pack.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { median } from './engines.ts'
import { startService, stopService } from './service-start.ts'

type Seconds = { readonly first: number; readonly later: number }
type Installation = { readonly name: string; readonly folder: string; readonly starts: Seconds[] }

const root = join(import.meta.dirname, '..')
const rounds = Number(process.argv[2] ?? 5)
const outer = await temporaryFolder('serve')
const bare: number[] = []
const installations = await measureAll()

console.log(`bare Node.js until its end: ${(median(bare) * 1_000).toFixed(0)} ms; medians of ${rounds} rounds`)
for (const kind of ['first', 'later'] as const) {
  const medians = installations.map(({ name, starts }) => ({ name, seconds: median(starts.map((one) => one[kind])) }))
  for (const own of medians) {
    const { name, seconds } = own
    const ratios = medians.filter((one) => one !== own).map((one) => toRatio(seconds, one))
    const inBare = `${(seconds / median(bare)).toFixed(0)} × bare Node.js`
    console.log(`${kind} start, ${name}: ${seconds.toFixed(2)} s, ${inBare}, ${ratios.join(', ')}`)
  }
}

async function measureAll(): Promise<readonly Installation[]> {
  try {
    const all = [
      toInstallation('checkout', root),
      toInstallation('package', await install(join(outer, 'packages'))),
      ...process.argv.slice(3).map((folder) => toInstallation(basename(folder), resolve(folder))),
    ]
    // The first round fills the compile caches, as the first start after an installation does.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, { folder, starts }] of all.entries()) {
        const seconds = await measure(join(folder, 'bin/docent.cjs'), join(outer, `${at}-${round}`))
        if (round > 0) starts.push(seconds)
      }
      bare.push(await measureBare())
    }
    return all
  } finally {
    await removeFolder(outer)
  }
}

function toInstallation(name: string, folder: string): Installation {
  return { name, folder, starts: [] }
}

function toRatio(seconds: number, of: { readonly name: string; readonly seconds: number }): string {
  return `${(seconds / of.seconds).toFixed(2)} of ${of.name}`
}

/** The package of the service, with the packages of this checkout. */
async function install(into: string): Promise<string> {
  const [packed] = await pack(into, ['service'])
  if (packed === undefined) throw new Error('The service is not packed.')
  await symlink(join(root, 'node_modules'), join(packed.folder, 'node_modules'))
  return packed.folder
}

async function measure(launcher: string, dataDir: string): Promise<Seconds> {
  const environment = {
    PATH: process.env['PATH'],
    DOCENT_DATA_DIR: dataDir,
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
  }
  const start = async () => {
    const started = await startService(environment, launcher)
    await delay(1_000)
    await stopService(started)
    return started.seconds
  }
  return { first: await start(), later: await start() }
}

async function measureBare(): Promise<number> {
  const begin = performance.now()
  await once(spawn(execPath, ['-e', '0']), 'exit')
  return (performance.now() - begin) / 1_000
}

// The commands of the guide that anyone can run without a network, on the history that comes with Docent: they print what it says.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { serve } from '../../src/service/service.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/git-remote.ts'
import { createDataDir } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = '/tmp/acme-wrap'
const author = { name: 'Acme', email: 'acme@example.com' }

test('the guide of sources prints what its offline commands print', async (t) => {
  const folder = temporaryFolder(t)
  assert.equal(await follow(readBlocks().offline, { folder, environment: {} }), 3)
})

test('the guide of sources prints the ledger of the example', async (t) => {
  const folder = temporaryFolder(t)
  const environment = await startService(t, folder)
  const { offline, service } = readBlocks()
  const [history = { kind: 'sh', text: '' }] = offline
  const isLedger = (line: string) => line.startsWith('docent debt ')
  const wait = async () => {
    for (;;) {
      const { stdout } = await runCommand(['debt', '--project', 'Wrap', '--since', 'v1.0', '--json'], environment)
      const { counts, followers, notFollowed } = JSON.parse(stdout) as Ledger
      if (followers.unread === 0 && notFollowed === 0 && counts.waiting === 0) return
      await delay(200)
    }
  }
  const before = async (line: string) => (isLedger(line) ? await wait() : undefined)
  assert.equal(await follow([history, ...service], { folder, environment, before }), 1)
})

type Ledger = {
  readonly counts: { readonly waiting: number }
  readonly followers: { readonly unread: number }
  readonly notFollowed: number
}

type Block = { readonly kind: string | undefined; readonly text: string }

/** `service`: up to the first command that does the same in another way. */
function readBlocks(): { readonly offline: readonly Block[]; readonly service: readonly Block[] } {
  const guide = readFileSync(`${root}/docs/guides/sources.md`, 'utf8')
  const [section = ''] = guide.split('## Try it offline\n')[1]?.split('\n## ') ?? []
  const [offline = '', service = ''] = section.split('### With a service\n')
  const blocksOf = (text: string) =>
    [...text.matchAll(/^```(sh)?\n(.*?)^```$/gms)].map(([, kind, text = '']) => ({ kind, text }))
  return {
    offline: blocksOf(offline),
    service: blocksOf(service).filter(({ text }) => !text.startsWith('docent job ')),
  }
}

async function startService(t: TestContext, folder: string): Promise<Environment> {
  const environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
  }
  const service = await serve(parseConfig(environment))
  t.after(() => service.stop())
  return environment
}

type Run = {
  readonly folder: string
  readonly environment: Environment
  readonly before?: (line: string) => Promise<void>
}

/** Runs the commands, and compares what they print with the blocks after them. Returns how many were compared. */
async function follow(blocks: readonly Block[], { folder, environment, before }: Run): Promise<number> {
  let printed = ''
  let compared = 0
  for (const { kind, text } of blocks) {
    if (kind !== 'sh') {
      assert.equal(withoutNames(printed), withoutNames(text))
      compared += 1
      continue
    }
    for (const line of text.trimEnd().split('\n')) {
      await before?.(line)
      printed = await run(line.replaceAll(place, `${folder}/acme-wrap`), environment)
    }
  }
  return compared
}

/** Commits of today and pull requests have other names each time. */
function withoutNames(text: string): string {
  return text.replace(/^[0-9a-f]{12}(?= .* Run the tests on push)/gm, '0'.repeat(12)).replace(/http:\S+/g, 'http://…')
}

async function run(line: string, environment: Environment): Promise<string> {
  const [program, ...args] = Array.from(line.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word)
  if (program !== 'docent') {
    const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, author.name],
      [`GIT_${who}_EMAIL`, author.email],
    ])
    const env = { ...process.env, ...Object.fromEntries(names) }
    return execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8', env })
  }
  const { stdout, stderr } = await runCommand(args, environment)
  assert.doesNotMatch(stderr, /not |error/i)
  return stdout
}

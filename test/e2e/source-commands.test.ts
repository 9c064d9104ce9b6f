// A user adds the sources of a project from the command line: a private one with a credential of its own, beside documentation
// at the same host. With a running service, and without one.

import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { SourceAccess } from '../../src/projects/sources/source-access.ts'
import type { CheckedSource } from '../../src/projects/sources/sources.ts'
import { serve, type Service } from '../../src/service/service.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { createRemote, plainGit } from '../support/git-remote.ts'
import { type GitServer, serveGit } from '../support/git-server.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const password = 'pass-word-0123456789'
let folder: string
let environment: Environment
let service: Service | undefined
let server: GitServer
const cleanups: (() => unknown)[] = []

before(async () => {
  folder = await temporaryFolder('sources')
  const cleanup = { after: (work: () => unknown) => void cleanups.push(work) } as unknown as Parameters<
    typeof createRemote
  >[0]
  const remote = createRemote(cleanup)
  remote.commit('main', { 'guide/a.md': 'a' })
  plainGit(dirname(remote.directory), ['clone', '--quiet', '--bare', remote.directory, 'product.git'])
  server = await serveGit(cleanup, remote.directory)
  const expected = `Basic ${Buffer.from(`reader:${password}`).toString('base64')}`
  server.fault = ({ url = '', headers }) => {
    if (!url.includes('product.git') || headers.authorization === expected) return undefined
    return { kind: 'answer', status: 401, headers: { 'WWW-Authenticate': 'Basic realm="git"' } }
  }
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_PRIVATE_REPOSITORY_HOSTS: server.host,
  }
  service = await serve(parseConfig(environment))
  await ok(['project', 'create', '--name', 'Docs', '--repository', server.address])
})
after(async () => {
  await service?.stop()
  for (const cleanup of cleanups) await cleanup()
  await removeFolder(folder)
})

const docent = (args: readonly string[], input = '') =>
  runCommand(args, environment, { readInput: () => Promise.resolve(input) })

async function ok(args: readonly string[], input = ''): Promise<string> {
  const ran = await docent(args, input)
  assert.deepEqual([ran.code, ran.stderr], [0, ''], ran.stdout)
  return ran.stdout
}

const product = () => `http://${server.host}/product.git`
const doctor = async () => (await docent(['doctor', '--no-model'])).stdout

test('a source is added, gets a credential, is checked, changed and removed', async () => {
  const added = await ok(['source', 'add', 'api', '--repository', product(), '--path', 'src/', '*.md'])
  assert.match(added, /^Added the source api\.\n✗ The host asks for a credential\.\n✗ read: no\n/)
  assert.match(added, /docent source credential set api --project Docs --token-file -\n/)
  assert.match(await ok(['source', 'list']), /^api +http:\S+product\.git +\(default\) +src\/ \*\.md +cannot be read$/m)
  const refused = await docent(['source', 'check', 'api'])
  assert.deepEqual([refused.code, refused.stdout.includes('✗ read: no')], [1, true])
  assert.match(refused.stderr, /The source api cannot be read\./)
  assert.match(
    await doctor(),
    /^✗ source api of Docs: .* asks for a credential\.\n {4}Give the source api a credential/m,
  )

  const set = ['source', 'credential', 'set', 'api', '--forge', 'git', '--user', 'reader', '--token-file', '-']
  const stored = await ok(set, `${password}\n`)
  assert.match(stored, /^kind +basic\n/)
  assert.match(stored, /✔ read\n$/)
  assert.doesNotMatch(stored, /push|pull requests/)
  const shown = await ok(['source', 'credential', 'show', 'api'])
  assert.equal(shown.includes(password), false)
  const checked = JSON.parse(await ok(['source', 'check', 'api', '--json'])) as SourceAccess
  assert.deepEqual([checked.read, checked.credential, checked.base?.branch], ['yes', 'basic', 'main'])
  assert.match(await ok(['source', 'check', 'api']), /^✔ read\nmain is at [0-9a-f]{40}\n$/)
  assert.match(await doctor(), /^✓ source api of Docs: http:\S+ can be read; main is at [0-9a-f]{40}$/m)
  assert.match(await ok(['project', 'show', 'Docs']), /^sources +api$/m)

  const change = ['source', 'set', 'api', '--name', 'server', '--branch', 'nowhere', '--reset', 'paths', '--json']
  const changed = JSON.parse(await ok(change)) as CheckedSource
  assert.deepEqual([changed.name, changed.branch, changed.paths], ['server', 'nowhere', []])
  assert.match(changed.access?.problem ?? '', /has no branch nowhere/)
  assert.match(await ok(['source', 'show', 'server']), /^branch +nowhere$/m)
  assert.match(await ok(['source', 'set', 'server', '--outsiders-commit']), /^outsidersCommit +true$/m)
  assert.match(await ok(['source', 'set', 'server', '--reset', 'outsidersCommit']), /^outsidersCommit +false$/m)
  assert.equal((await docent(['source', 'show', 'api'])).code, 1)
  await ok(['source', 'credential', 'remove', 'server'])
  assert.equal((await docent(['source', 'credential', 'show', 'server'])).code, 1)
  assert.equal(await ok(['source', 'remove', 'server']), 'Removed the source server.\n')
  assert.equal(await ok(['source', 'list', '--json']), '[]\n')
})

test('a token on the command line is refused, and so is a name of a folder of the docs', async () => {
  const secret = await docent(['source', 'credential', 'set', 'api', '--token', password])
  assert.equal(secret.code, 2)
  assert.match(secret.stderr, /Never write a token on the command line/)
  const folder = await docent(['source', 'add', 'guide', '--repository', product()])
  assert.equal(folder.code, 1)
  assert.match(folder.stderr, /the documentation has a top folder `guide`/)
})

test('without a running service, sources are managed and checked as well', async () => {
  await ok(['source', 'add', 'cli', '--repository', product()])
  await service?.stop()
  service = undefined
  const set = ['source', 'credential', 'set', 'cli', '--forge', 'git', '--user', 'reader', '--token-file', '-']
  assert.match(await ok(set, password), /✔ read\n$/)
  assert.match(await doctor(), /^✓ source cli of Docs: http:\S+ can be read; main is at [0-9a-f]{40}$/m)
  assert.ok(server.logins.every((login) => login === null || login.username === 'reader'))
})

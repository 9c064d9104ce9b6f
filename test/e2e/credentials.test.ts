// A user connects a project with a forge from the command line: sets the credential, proves it, asks doctor. Against the
// loopback forges, and a git host that asks for a password.

import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test, type TestContext } from 'node:test'
import type { AccessReport, CredentialReport } from '../../src/projects/access/access.ts'
import { parseConfig } from '../../src/config/config.ts'
import { forgeKinds } from '../../src/forge/host.ts'
import { serve, type Service } from '../../src/service/service.ts'
import type { Environment } from '../../src/config/environment.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { isAtOneAddress } from '../support/forge/connected-service.ts'
import { startForge, type TestForge } from '../support/forge/forge.ts'
import { createRemote } from '../support/git-remote.ts'
import { serveGit } from '../support/git-server.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let environment: Environment
let service: Service
const ports: string[] = []
before(async () => {
  folder = await temporaryFolder('credentials')
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_PRIVATE_REPOSITORY_HOSTS: '127.0.0.1',
  }
})
after(() => removeFolder(folder))

const docent = (args: readonly string[], input = '') =>
  runCommand(args, environment, { readInput: () => Promise.resolve(input) })

/** A service that may connect to these hosts. */
async function start(t: TestContext, hosts: readonly string[]): Promise<void> {
  ports.push(...hosts)
  environment = { ...environment, DOCENT_PRIVATE_REPOSITORY_HOSTS: ports.join(',') }
  service = await serve(parseConfig(environment))
  t.after(() => service.stop().catch(() => undefined))
}

async function addProject(repository: string): Promise<{ projectId: string; access: AccessReport }> {
  const made = await docent(['project', 'create', '--name', 'Docs', '--repository', repository, '--json'])
  assert.equal(made.code, 0, made.stderr)
  return JSON.parse(made.stdout) as { projectId: string; access: AccessReport }
}

/** Fails when anything that a person sees holds the secret. */
function assertHidden(secret: string, ...ran: readonly { readonly stdout: string; readonly stderr: string }[]): void {
  for (const { stdout, stderr } of ran) assert.ok(!`${stdout}${stderr}`.includes(secret))
}

const set = (projectId: string, ...options: readonly string[]) => [
  'project',
  'credential',
  'set',
  projectId,
  ...options,
]

async function proves(forge: TestForge): Promise<void> {
  const { projectId, access } = await addProject(forge.repository)
  assert.deepEqual([access.rights.read, access.rights.push], ['no', 'no'])
  const token = forge.createToken().value
  const file = join(folder, 'token')
  await writeFile(file, `${token}\n`)
  const api = isAtOneAddress(forge) ? ['--api-url', forge.api] : []
  const made = await docent(set(projectId, '--forge', forge.kind, ...api, '--token-file', file))
  assert.deepEqual([made.code, made.stderr], [0, ''])
  assert.match(made.stdout, /✔ read\n✔ push\n(?:✔|\?) pull requests/)
  const proof = await docent(['forge', 'check', '--project', projectId, '--write'])
  assert.deepEqual([proof.code, proof.stderr], [0, ''], proof.stdout)
  for (const step of ['read', 'push', 'open', 'close', 'delete']) assert.match(proof.stdout, new RegExp(`✔ ${step}: `))
  assert.deepEqual([forge.pulls.length, forge.pulls[0]?.state], [1, 'closed'])
  assert.equal(forge.remote.git(['for-each-ref', '--format=%(refname:short)', 'refs/heads']), 'main')
  const doctor = await docent(['doctor', '--no-model', '--project', projectId])
  assert.match(doctor.stdout, /✓ repository of (?:Docs|prj_\w+): .* can be read, pushed to.*; main is at [0-9a-f]{40}/)
  forge.revokeAll()
  const revoked = await docent(['project', 'credential', 'check', projectId])
  assert.equal(revoked.code, 1)
  assert.match(revoked.stdout, /✗ push: no/)
  const broken = await docent(['doctor', '--no-model', '--project', projectId])
  assert.match(broken.stdout, /✗ repository of (?:Docs|prj_\w+)/)
  assertHidden(token, made, proof, doctor, revoked, broken)
}

suite('credentials', () => {
  for (const kind of forgeKinds) {
    test(`a token of ${kind} is set, proved and revoked`, async (t) => {
      const forge = await startForge(t, { kind, switches: { isPrivate: true } })
      await start(t, [forge.host])
      await proves(forge)
    })
  }

  test('user and password of a git host work with and without a running service', async (t) => {
    const remote = createRemote(t)
    remote.commit('main', { 'a.md': 'a' })
    const server = await serveGit(t, remote.directory)
    const password = 'pass-word-0123456789'
    const expected = `Basic ${Buffer.from(`writer:${password}`).toString('base64')}`
    const headers = { 'WWW-Authenticate': 'Basic realm="git"' }
    server.fault = (request) =>
      request.headers.authorization === expected ? undefined : { kind: 'answer', status: 401, headers }
    await start(t, [server.host])
    const { projectId, access } = await addProject(server.address)
    assert.match(access.problem ?? '', /asks for a credential/)
    const made = await docent(set(projectId, '--forge', 'git', '--user', 'writer', '--token-file', '-'), password)
    assert.match(made.stdout, /^account +writer$/m)
    const proof = await docent(['forge', 'check', '--project', projectId, '--write'])
    assert.match(proof.stdout, /✔ push: .*\n- open: .*kept by Docent itself\n- close: .*\n✔ delete/)

    await service.stop()
    const stopped = await docent(['doctor', '--no-model', '--project', projectId])
    assert.match(stopped.stdout, /✓ repository of (?:Docs|prj_\w+): .* can be read, pushed to/)
    const other = { ...environment, DOCENT_PRIVATE_REPOSITORY_HOSTS: '' }
    const refused = await runCommand(['doctor', '--no-model', '--project', projectId], other)
    assert.match(refused.stdout, /✗ repository of .*\n +Use an https address, or add the host to DOCENT_PRIVATE/)
    await rm(join(folder, 'data', 'secret.key'))
    const lost = await docent(['doctor', '--no-model', '--project', projectId])
    assert.match(lost.stdout, /✗ repository of (?:Docs|prj_\w+): .*Enter it again/)
    const shown = await docent(['project', 'credential', 'show', projectId, '--json'])
    assert.match((JSON.parse(shown.stdout) as CredentialReport).problem ?? '', /Enter it again/)
    const again = await docent(set(projectId, '--forge', 'git', '--user', 'writer', '--token-file', '-'), password)
    assert.match(again.stdout, /✔ read\n✔ push/)
    const gone = await docent(['project', 'credential', 'delete', projectId])
    assert.match(gone.stdout, /^Deleted the credential/)
    assert.match((await docent(['project', 'credential', 'show', projectId])).stderr, /has no credential/)
    assertHidden(password, made, proof, stopped, lost, shown, again, gone)
  })

  test('a token on the command line is refused, and not repeated', async () => {
    const table: [readonly string[], RegExp][] = [
      [['--token', 'glpat-0123456789'], /Never write a token on the command line/],
      [['--token'], /Never write a token on the command line/],
      [[], /--token-file/],
      [['--token-file', '-', '--installation', '7'], /--token-file/],
      [['--token-file', join(folder, 'nowhere')], /cannot be read/],
      [['--installation', 'x'], /the number at the end/],
      [['--forge', 'sourcehut', '--token-file', '-'], /Allowed choices/],
    ]
    for (const [options, words] of table) {
      const ran = await docent(set('prj_00000000000000000000', ...options), 'x')
      assert.equal(ran.code, 2, options.join(' '))
      assert.match(ran.stderr, words)
      assert.doesNotMatch(ran.stderr, /glpat/)
    }
    const help = await docent(['project', 'credential', 'set', '--help'])
    assert.doesNotMatch(help.stdout, /--token \[/)
  })
})

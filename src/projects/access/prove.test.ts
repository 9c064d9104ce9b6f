import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { servedRepository } from '../../../test/support/git-server.ts'
import type { Created, ForgeHost, HostedPull, NewPull } from '../../forge/host.ts'
import type { Git } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import type { Connections } from '../connections.ts'
import { createProject } from '../projects.ts'
import { proveAccess } from './prove.ts'

const signal = new AbortController().signal
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** A forge that keeps its pull requests in `open`. */
function openForge(answer: (pull: NewPull) => Created | Failure) {
  const open = new Map<number, NewPull>()
  const host: Partial<ForgeHost> = {
    kind: 'github',
    repository: 'github.test/acme/docs',
    get: async (number) => {
      const pull = open.get(number)
      return pull && hosted(pull, 'open')
    },
    create: async (pull) => {
      const created = answer(pull)
      if (created instanceof Failure) throw created
      if (created.kind !== 'exists') open.set(7, pull)
      return created
    },
    listByBranch: async (branch) =>
      [...open.values()].filter((pull) => pull.branch === branch).map((pull) => hosted(pull, 'open')),
    close: async (number) => void open.delete(number),
  }
  return { open, host: host as ForgeHost }
}

function hosted(pull: NewPull, state: HostedPull['state']): HostedPull {
  const { branch, ...rest } = pull
  const head = { branch, commit: 'c' }
  return { ...rest, number: 7, state, mergedAt: null, link: 'https://x/7', head, isOwn: true, isLocked: false }
}

async function world(t: TestContext, host: ForgeHost | undefined) {
  const { server, remote, repository } = await servedRepository(t)
  const { db } = postgres
  const none = () => null
  const projects = {
    db,
    checkAddress: (address: string) => address,
    branchProblem: none,
    modelProblem: none,
    pageProblem: none,
    identity: { name: 'Docent', email: 'docent@localhost' },
  }
  const { id } = await createProject(projects, { name: 'x', repository: server.address })
  const connection = { kind: null, forge: null, host, credential: () => Promise.resolve(undefined) }
  const nothing = async () => undefined
  const connections: Connections = { of: async () => connection, statusesOf: nothing, credentialOf: nothing }
  const git = { repository: () => repository } as unknown as Git
  const prove = () => proveAccess({ db, secrets, connections, git, clock: systemClock }, id, signal)
  const branches = () => remote.git(['for-each-ref', '--format=%(refname:short)', 'refs/heads'])
  return { prove, branches, remote, server }
}

type Steps = Awaited<ReturnType<typeof proveAccess>>
const statesOf = (steps: Steps) => steps.map(({ step, state }) => `${step} ${state}`).join(', ')

test('a draft is opened on a scratch branch and closed, and nothing is left', async (t) => {
  const { open, host } = openForge((pull) => ({ kind: 'created', pull: hosted(pull, 'open') }))
  const seen: NewPull[] = []
  const watched: ForgeHost = {
    ...host,
    create: (pull, signal) => {
      seen.push(pull)
      return host.create(pull, signal)
    },
  }
  const { prove, branches } = await world(t, watched)
  const steps = await prove()
  assert.equal(statesOf(steps), 'read done, push done, open done, close done, delete done')
  assert.deepEqual([seen.length, seen[0]?.draft, seen[0]?.base, open.size], [1, true, 'main', 0])
  assert.match(steps[2]?.detail ?? '', /#7: https:\/\/x\/7/)
  assert.equal(branches(), 'main')
})

test('a pull request whose response was lost is found and closed', async (t) => {
  const { open, host } = openForge(() => ({ kind: 'unknown_effect' }))
  const { prove, branches } = await world(t, host)
  assert.equal(statesOf(await prove()), 'read done, push done, open done, close done, delete done')
  assert.deepEqual([open.size, branches()], [0, 'main'])
})

test('a forge that refuses pull requests is a finding, and the branch is deleted', async (t) => {
  const { host } = openForge(() => new Failure('forge_right_missing', 'Grant it there.'))
  const { prove, branches } = await world(t, host)
  const steps = await prove()
  assert.equal(statesOf(steps), 'read done, push done, open failed, close skipped, delete done')
  assert.equal(steps[2]?.detail, 'Grant it there')
  assert.equal(branches(), 'main')
})

test('without a forge the branch alone is proved', async (t) => {
  const { prove, branches } = await world(t, undefined)
  assert.equal(statesOf(await prove()), 'read done, push done, open skipped, close skipped, delete done')
  assert.equal(branches(), 'main')
})

test('a repository that refuses the push or cannot be read ends the proof there', async (t) => {
  const { prove, server, remote } = await world(t, undefined)
  remote.git(['config', 'http.receivepack', 'false'])
  assert.equal(statesOf(await prove()), 'read done, push failed, open skipped, close skipped, delete skipped')
  server.fault = () => ({ kind: 'answer', status: 404 })
  assert.equal(statesOf(await prove()), 'read failed, push skipped, open skipped, close skipped, delete skipped')
})

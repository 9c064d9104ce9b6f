// The first job on a repository whose history is not here yet: killed before, while and after the history arrives, with a
// branch that is rewritten meanwhile, and beside a second job. Both ways to publish: a push by git, and commits that the
// host creates over its API. Each job ends with one branch, one commit for a run, and one pull request.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '../../src/cli/api/api.ts'
import { type RunPoint } from '../../src/jobs/run/context.ts'
import { engine } from '../support/engine.ts'
import { createRemote, type TestRemote } from '../support/git-remote.ts'
import { serveGit } from '../support/git-server.ts'
import { isThorough } from '../support/rounds.ts'
import { type Arranged, answerTo, arrange, assertDoneOnce } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { arrangeOnGitHub } from './github.ts'

type Way = {
  readonly arranged: Arranged
  readonly remote: TestRemote
  /** Called for each request that lists refs or fetches. The request waits for the result. */
  onFetch(called: () => Promise<unknown> | undefined): void
  close(): Promise<void>
}

async function byGit(): Promise<Way> {
  const cleanups: (() => unknown)[] = []
  const t = { after: (work: () => unknown) => void cleanups.push(work) } as Parameters<typeof createRemote>[0]
  const remote = createRemote(t)
  remote.commit('main', { 'index.md': '# Home\n' })
  const server = await serveGit(t, remote.directory)
  const hosted = {
    address: server.address,
    directory: remote.directory,
    // Without a forge nobody says whether the repository is public, so commits name people only if the project says so.
    connect: async (operator: Api, projectId: string) => {
      await operator.send('PATCH', `/v1/projects/${projectId}`, { coAuthors: 'people' })
    },
    assertProposed: () => undefined,
  }
  const arranged = await arrange({ DOCENT_PRIVATE_REPOSITORY_HOSTS: server.host }, hosted)
  return {
    arranged,
    remote,
    onFetch: (called) => {
      server.fault = async ({ method, url }) => {
        if (method === 'POST' && url?.endsWith('upload-pack') === true) await called()
        return undefined
      }
    },
    close: async () => {
      await arranged.close()
      for (const cleanup of cleanups.toReversed()) await cleanup()
    },
  }
}

async function byApi(): Promise<Way> {
  const arranged = await arrangeOnGitHub()
  const { forge } = arranged
  return {
    arranged,
    remote: forge.remote,
    onFetch: (called) => {
      forge.fault = ({ route }) => {
        const until = route === 'git upload-pack' ? called() : undefined
        return until && { kind: 'delay', until }
      }
    },
    close: () => arranged.close(),
  }
}

/** A list of refs has one request, and a fetch two: the first fetch is a list and a fetch, and so is the history. */
const [firstPack, historyPack] = [3, 6]

for (const [name, open] of engine === 'cluster'
  ? []
  : ([
      ['git', byGit],
      ['API', byApi],
    ] as const)) {
  suite(`the first job, published by ${name}`, () => {
    let way: Way
    let service: Cluster
    let points: readonly RunPoint[]

    before(async () => {
      way = await open()
      for (const text of ['b', 'c']) way.remote.commit('main', { 'a.md': `# ${text}\n` })
      service = await startCluster(way.arranged.environment)
      await service.arm()
      await client().ended((await client().create('page undisturbed')).id)
      points = [...service.points]
    })
    after(async () => {
      await service.close()
      await way.close()
    })

    const client = () => way.arranged.connectTo(service.addresses)
    const mirrors = () => join(way.arranged.environment['DOCENT_DATA_DIR'] ?? '', 'mirrors')
    const inMirrors = (part: string) => readdirSync(mirrors()).filter((entry) => entry.includes(part))
    const isShallow = () => inMirrors('.git').some((entry) => existsSync(join(mirrors(), entry, 'shallow')))

    /** Holds the n-th request from now on, on a mirror that is deleted. The model waits for `until`. */
    function begin(n: number, until: (arrived: Promise<void>) => Promise<unknown>) {
      for (const entry of inMirrors('.git')) rmSync(join(mirrors(), entry), { recursive: true })
      const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let count = 0
      way.onFetch(() => {
        count += 1
        if (count !== n) return undefined
        arrived.resolve()
        return released.promise
      })
      const wait = until(arrived.promise)
      way.arranged.model.script = (messages) => {
        const isFirst = !messages.some((message) => message.role === 'tool')
        return isFirst ? answerTo(messages) : { ...answerTo(messages), wait }
      }
      return { arrived: arrived.promise, release: () => released.resolve() }
    }

    /** The job has one of each, and a follow-up adds a commit to its branch; then the history is there. */
    async function assertUnharmed(id: string, page: string, unstoredAnswers: number): Promise<void> {
      await client().ended(id)
      await client().message(id, `extra ${page}-more`)
      await assertDoneOnce(way.arranged, client(), id, { page, extras: [`${page}-more`], unstoredAnswers })
      if (name === 'git') assert.equal((await client().pulls()).filter(({ jobId }) => jobId === id).length, 1)
      await settled(() => !isShallow() && inMirrors('.history-').length === 0)
    }

    // In an ordinary run the ways share the moments.
    const isHere = (way: 'git' | 'API') => isThorough || name === way

    if (isHere('git'))
      test('killed during the first fetch', async () => {
        const held = begin(firstPack, () => Promise.resolve())
        const { id } = await client().create('page early')
        await held.arrived
        await service.replace()
        held.release()
        await assertUnharmed(id, 'early', 0)
      })

    if (isHere('git'))
      test('killed while the history arrives', async () => {
        const held = begin(historyPack, (arrived) => arrived)
        const { id } = await client().create('page meanwhile')
        await held.arrived
        assert.equal(isShallow(), true)
        await service.replace()
        held.release()
        await assertUnharmed(id, 'meanwhile', 1)
      })

    for (const point of ['commit stored', 'pushed', 'proposed'] as const) {
      if (!isHere(point === 'proposed' ? 'git' : 'API')) continue
      test(`killed at the point '${point}' while the history arrives`, async () => {
        const held = begin(historyPack, (arrived) => arrived)
        await service.arm(points.lastIndexOf(point) + 1)
        const page = point.replace(' ', '-')
        const { id } = await client().create(`page ${page}`)
        assert.equal((await service.stopped()).point, point)
        assert.equal(isShallow(), true)
        await service.replace()
        held.release()
        await assertUnharmed(id, page, 0)
      })
    }

    if (isHere('API'))
      test('killed after the history arrived', async () => {
        begin(Infinity, () => settled(() => inMirrors('.git').length > 0 && !isShallow()))
        await service.arm(points.lastIndexOf('pushed') + 1)
        const { id } = await client().create('page late')
        assert.equal((await service.stopped()).point, 'pushed')
        await service.replace()
        await assertUnharmed(id, 'late', 0)
      })

    // How a run is published makes no difference to these.
    if (name !== 'git') return

    test('a run continues without its mirror, although the base moved on', async () => {
      begin(Infinity, () => Promise.resolve())
      await service.arm(points.indexOf('results stored') + 1)
      const { id } = await client().create('page moved')
      await service.stopped()
      for (const entry of inMirrors('.git')) rmSync(join(mirrors(), entry), { recursive: true })
      way.remote.commit('main', { 'later.md': '# Later\n' })
      await service.replace()
      await assertUnharmed(id, 'moved', 0)
    })

    test('two jobs end while the history arrives', async () => {
      const held = begin(historyPack, (arrived) => arrived)
      const one = await client().create('page one')
      await held.arrived
      const two = await client().create('page two')
      await Promise.all([client().ended(one.id), client().ended(two.id)])
      assert.equal(isShallow(), true)
      held.release()
      await assertUnharmed(one.id, 'one', 0)
      await assertUnharmed(two.id, 'two', 0)
    })

    test('the base is rewritten while the history arrives', async () => {
      const held = begin(historyPack, (arrived) => arrived)
      const { id } = await client().create('page rewritten')
      await held.arrived
      way.remote.git(['update-ref', 'refs/heads/main', way.remote.git(['rev-parse', 'main~2'])])
      way.remote.commit('main', { 'z.md': '# Z\n' })
      held.release()
      const job = await client().ended(id)
      assert.equal(job.outcome, 'pull_request', JSON.stringify(job.error))
      const changed = way.remote.git(['show', '--name-only', '--format=', job.source.ref ?? ''])
      assert.equal(changed, 'rewritten.md')
      await settled(() => !isShallow())
    })
  })
}

/** Polls, and fails after a minute. */
async function settled(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (condition()) return
    await delay(50)
  }
  assert.fail('the history did not arrive')
}

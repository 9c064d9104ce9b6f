// The triggers that come from a forge, by webhook and by polling together: commits of the docs, commits of a source, and comments.
// Deliveries are lost, doubled, late, out of order and forged, by a seed. A small model says after each step which events
// the service may have seen; in the end each one is in exactly one run, or one message.

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { before, suite, test } from 'node:test'
import { createAutomation } from '../../src/automations/automations.ts'
import type { Trigger } from '../../src/automations/automation.ts'
import { lookAtBranches } from '../../src/automations/positions/look.ts'
import { takeCommits } from '../../src/automations/positions/take.ts'
import { settleRuns } from '../../src/automations/runs/settle.ts'
import { createFactsReader } from '../../src/checks/facts/reader.ts'
import type { HookedForge } from '../../src/forge/deliveries/address.ts'
import type { ShownForgeWebhook } from '../../src/http/resources/forge-webhooks/contract.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { createId } from '../../src/lib/id.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { operator } from '../../src/projects/keys.ts'
import { called } from '../support/called.ts'
import { claimNext, completeRun, toLeased } from '../support/database.ts'
import { bodyOf, type Event, proofOf } from '../support/forge/delivery.ts'
import { type Cleanup, createRemote } from '../support/git-remote.ts'
import { openTestApp, type TestApp } from '../support/openapi-app.ts'
import { createRandom } from '../support/random.ts'

const page = '# Client\n\nCall `createClient` with `retryLimit`, and stop it with `closeClient`.\n'
const codeOf = (limit: number) => `export function createClient(retryLimit = ${limit}) {}\n`
const minute = 60

type Subject = 'docs' | 'code' | 'comment'
const subjects = ['docs', 'code', 'comment'] as const
const fates = ['delivered', 'doubled', 'late', 'late', 'lost', 'forged'] as const
const events = 12

/** Projects of other tests have no credential here, so their hosts are not asked. */
async function arrange(t: Cleanup, app: TestApp, kind: HookedForge) {
  const { db } = app
  const world = await called(t, db, kind)
  const { projectId, forge } = world
  const product = createRemote(t)
  product.commit('main', { 'src/client.ts': codeOf(3) }, 'First')
  forge.remote.commit('main', { 'client.md': page }, 'docs: the client')
  const sourceId = createId('src')
  const times = { created_at: new Date(), updated_at: new Date() }
  const source = { id: sourceId, project_id: projectId, name: 'api', repository: product.directory, paths: '[]' }
  await db
    .insertInto('sources')
    .values({ ...source, ...times })
    .execute()
  const facts = createFactsReader()
  t.after(() => facts.close())
  const context = { ...app.deps.access, clock: systemClock, modelId: 'docent/rules', publicUrl: 'http://x' }
  const { signal } = new AbortController()
  const options = {
    ...context,
    db,
    git: world.git,
    facts,
    log: createLog('silent'),
    signal,
    hide: (text: string) => text,
    confirmHead: () => Promise.resolve(undefined),
  }
  const automate = async (trigger: Trigger) => {
    const wanted = { name: createId('aut'), trigger, instructions: 'Document it' }
    return (await createAutomation(context, operator, projectId, wanted)).row.id
  }
  const automations = {
    docs: await automate({ type: 'docs', paths: [] }),
    code: await automate({ type: 'code', source: 'api', paths: [], when: 'merge' }),
  }
  /** All that is due now, as the loops of the service do it. */
  const step = async () => {
    await lookAtBranches({ ...options, now: () => new Date(), confirmHead: () => Promise.resolve(undefined) })
    await world.poll()
    await world.handle()
    await settleRuns(options)
    await takeCommits(options)
  }
  const pass = async () => {
    await world.pass(minute)
    await sql`update followed_repositories set look_after = look_after - interval '2 minutes'`.execute(db)
  }
  const path = (directory: string) =>
    directory
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/\.git$/, '')
  const paths = {
    docs: path(forge.remote.directory),
    comment: path(forge.remote.directory),
    code: path(product.directory),
  }
  return { ...world, product, automations, step, pass, paths }
}

type Arranged = Awaited<ReturnType<typeof arrange>>

async function openWebhook(app: TestApp, projectId: string, forge: HookedForge) {
  const made = await app.call(`/v1/projects/${projectId}/forge-webhooks`, { key: app.keys.admin, json: { forge } })
  const { url, secret } = (await made.json()) as ShownForgeWebhook
  const send = async (event: Event, with_ = secret ?? '') => {
    const body = bodyOf(forge, event)
    const headers = { 'Content-Type': 'application/json', ...proofOf(forge, with_, body) }
    return (await app.call(new URL(url).pathname, { key: null, method: 'POST', body, headers })).status
  }
  return { send, forged: (event: Event) => send(event, 'a guess') }
}

/** Commits of the docs and the code that have a row, and prompts of comments. */
async function readSeen({ db, automations, prompts }: Arranged, jobId: string): Promise<readonly string[]> {
  const commits = await db.selectFrom('automation_commits').selectAll().execute()
  const ours = commits.filter((row) => row.automation_id === automations.docs || row.automation_id === automations.code)
  return [...ours.map(({ commit }) => commit), ...(await prompts(jobId))].toSorted()
}

type Happened = { readonly subject: Subject; readonly id: string }

/** Makes things happen at the forge, and remembers which of them the service may know. */
function play(world: Arranged, webhook: Awaited<ReturnType<typeof openWebhook>>, number: number) {
  const happened: Happened[] = []
  const known = new Set<string>()
  const eventOf = (subject: Subject) =>
    ({ kind: subject === 'comment' ? 'comment' : 'push', path: world.paths[subject] }) as const
  const make = (subject: Subject, n: number): string => {
    if (subject === 'docs') return world.forge.remote.commit('main', { [`page-${n}.md`]: `# ${n}\n` }, `docs: ${n}`)
    if (subject === 'code') return world.product.commit('main', { 'src/client.ts': codeOf(n + 10) }, `feat: limit ${n}`)
    // The lists of the forges have whole seconds.
    world.forge.advance(1_000)
    world.remarks.comment(number, { text: `/docent Change ${n}.` })
    return `Change ${n}.`
  }
  const know = (subjects: readonly Subject[]) => {
    for (const { subject, id } of happened) if (subjects.includes(subject)) known.add(id)
  }
  return {
    happened,
    known: () => [...known].toSorted(),
    happen: (subject: Subject) => void happened.push({ subject, id: make(subject, happened.length) }),
    /** A genuine delivery makes the service look where it happened: it sees all that is there. */
    deliver: async (subject: Subject) => {
      assert.equal(await webhook.send(eventOf(subject)), 202)
      know(subject === 'docs' ? ['docs', 'comment'] : [subject])
    },
    forge: async (subject: Subject) => assert.equal(await webhook.forged(eventOf(subject)), 401),
    /** Time passes, and everything is polled. */
    poll: async () => {
      await world.pass()
      know(subjects)
    },
  }
}

suite('triggers by webhook and by polling', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp()
  })

  for (const [at, kind] of (['github', 'gitlab', 'gitea'] as const).entries()) {
    test(`${kind}: each event acts once, whatever became of its delivery`, async (t) => {
      const world = await arrange(t, app, kind)
      const { jobId, number } = await world.open('docent/1')
      const played = play(world, await openWebhook(app, world.projectId, kind), number)
      await world.pass()
      await world.step()
      const expectSeen = async (words: string) => {
        await world.step()
        assert.deepEqual(await readSeen(world, jobId), played.known(), words)
      }
      const random = createRandom(20 + at)
      const late: Subject[] = []
      for (let n = 0; n < events; n += 1) {
        const [subject, fate] = [random.pick(subjects), random.pick(fates)]
        played.happen(subject)
        // Those before come after this one: late, and out of order.
        const held = fate === 'late' ? [] : late.splice(0).toReversed()
        if (fate === 'late') late.push(subject)
        if (fate === 'delivered' || fate === 'doubled') await played.deliver(subject)
        if (fate === 'doubled') await Promise.all([played.deliver(subject), played.deliver(subject)])
        if (fate === 'forged') await played.forge(subject)
        for (const one of held) await played.deliver(one)
        if (random.chance(0.1)) await played.poll()
        await expectSeen(`${n}: ${fate} ${subject}`)
      }
      for (const subject of subjects) played.happen(subject)
      for (const subject of subjects) await played.forge(subject)
      await expectSeen('nothing genuine was delivered')
      assert.ok(played.known().length <= played.happened.length - subjects.length)
      await played.poll()
      await expectSeen('polling finds all')
      // Everything that was delivered comes again.
      for (const subject of subjects) await played.deliver(subject)
      await finishAll(world)
      assert.deepEqual(await readSeen(world, jobId), played.happened.map(({ id }) => id).toSorted())
      await expectOneRunEach(world, played.happened)
    })
  }
})

/** Until nothing waits, as the runs end one after another. */
async function finishAll({ db, step }: Arranged): Promise<void> {
  for (let idle = 0; idle < 2;) {
    await sql`update automation_positions set take_after = now() - interval '1 second' where take_after is not null`.execute(
      db,
    )
    await step()
    const run = await claimNext(db)
    if (run) await completeRun(toLeased(db, run))
    idle = run ? 0 : idle + 1
  }
}

/** The ranges of the runs have each commit once, and nothing else. */
async function expectOneRunEach(
  { db, automations, forge, product }: Arranged,
  happened: readonly Happened[],
): Promise<void> {
  for (const subject of ['docs', 'code'] as const) {
    const rows = await db
      .selectFrom('automation_runs')
      .selectAll()
      .where('automation_id', '=', automations[subject])
      .execute()
    const remote = subject === 'docs' ? forge.remote : product
    const ranges = rows.flatMap((row) => JSON.parse(row.ranges) as { readonly from: string; readonly to: string }[])
    const taken = ranges.flatMap(({ from, to }) =>
      remote.git(['rev-list', '--first-parent', `${from}..${to}`]).split('\n'),
    )
    const wanted = happened.filter((one) => one.subject === subject).map(({ id }) => id)
    assert.deepEqual(taken.toSorted(), wanted.toSorted(), subject)
  }
}

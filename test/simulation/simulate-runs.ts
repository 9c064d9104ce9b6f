// Whole runs on a forge that fails: people merge the product, merge, close and comment pull requests, and push to their branches. The
// oracle sees every request to the forge.

import assert from 'node:assert/strict'
import { createAutomation } from '../../src/automations/automations.ts'
import { operator } from '../../src/projects/keys.ts'
import type { TestForge } from '../support/forge/forge.ts'
import type { ForgeFault } from '../support/forge/server.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { startModelServer } from '../support/model-server.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type ForgeWorld, openForgeWorld } from './forge-world.ts'
import { expectLedger } from './oracle.ts'
import { changeProduct } from './people.ts'
import { executeAll, type Player, respond } from './whole-runs.ts'

const minute = 60_000
/** Half of what GitHub allows: the budget of the service for reading. */
const mostAnHour = 2_500

const json = { 'Content-Type': 'application/json' }
const faults: readonly [ForgeFault, ...ForgeFault[]] = [
  { kind: 'answer', status: 502, headers: {}, body: 'Bad gateway' },
  { kind: 'answer', status: 500, headers: json, body: '{"message":"Server Error"}' },
  {
    kind: 'answer',
    status: 403,
    headers: { ...json, 'Retry-After': '30' },
    body: '{"message":"secondary rate limit"}',
  },
  { kind: 'reset' },
  { kind: 'lose answer' },
  { kind: 'truncate' },
]

export type Runs = { readonly seed: number; readonly merges: number }

/** Returns what happened, in numbers. Throws where the code and the oracle differ. */
export async function simulateRuns(t: Cleanup, { seed, merges }: Runs): Promise<Readonly<Record<string, number>>> {
  const random = createRandom(seed)
  const player: Player = { plan: undefined, plans: new Map() }
  const model = await startModelServer((messages) => respond(player, messages))
  t.after(() => model.close())
  const world = await openForgeWorld(t, new Date('2026-04-06T05:00:00Z'), model.baseUrl)
  const { forge, clock, truth } = world
  await addAutomations(world)
  await world.step()
  const chance = { of: 0.03 }
  let failed = 0
  forge.fault = ({ method, route }) => {
    if (method === 'POST' && route === 'POST /repos/:owner/:repo/pulls') expectOnePull(world)
    if (!random.chance(chance.of)) return undefined
    failed += 1
    return random.pick<ForgeFault>(faults)
  }
  for (let at = 0; at < merges; at += 1) {
    const number = 1_000 + at
    const { subject, ...change } = changeProduct(world.api, random, number)
    world.api.add({ ...change, subject: `${subject} (#${number})`, isMerge: random.chance(0.5) })
    act(world, random)
    for (let round = 0; round < 3; round += 1) {
      await clock.pass((2 + random.int(20)) * minute)
      await live(world, player, random)
    }
    await clock.pass(random.int(120) * minute)
  }
  chance.of = 0
  const requests = await watchAnHour(world)
  for (let round = 0; round < 12; round += 1) {
    await clock.pass(6 * 60 * minute)
    await live(world, player, random, 'no_changes')
  }
  const compared = await expectLedger(world.db, truth, world.projectId, [world.api])
  return { merges, runs: truth.runs.length, pulls: forge.pulls.length, failed, requests, compared }
}

async function live(world: ForgeWorld, player: Player, random: Random, always?: 'no_changes'): Promise<void> {
  notePulls(world)
  await world.step()
  noteMerged(world)
  await executeAll(world, player, random, always)
  notePulls(world)
  await world.step()
  noteMerged(world)
}

async function addAutomations({ context, projectId, truth, api, docs }: ForgeWorld): Promise<void> {
  const code = { type: 'code', source: 'api', when: 'merge' } as const
  const wanted = [
    { name: 'update', trigger: { ...code, paths: [] }, grouping: 'one', follows: api, update: 'pull_request' },
    { name: 'part', trigger: { ...code, paths: ['src/a/'] }, grouping: 'each', follows: api, update: 'merge' },
    { name: 'translate', trigger: { type: 'docs', paths: [] }, grouping: 'one', follows: docs, update: 'pull_request' },
  ] as const
  for (const { follows, ...given } of wanted) {
    const more = { instructions: 'Update the docs.', mergeWithoutChecks: given.update === 'merge' }
    const { row } = await createAutomation(context, operator, projectId, { ...given, ...more })
    const { name, grouping, trigger } = given
    const caps = { runsPerDay: Infinity, costUsdPerDay: Infinity }
    const isJudged = trigger.type === 'code'
    truth.automations.push({
      id: row.id,
      name,
      follows,
      isJudged,
      paths: trigger.paths,
      grouping,
      caps,
      slots: undefined,
      isOn: true,
    })
  }
}

/** People, on the forge and in the docs. */
function act(world: ForgeWorld, random: Random): void {
  const { forge, docs } = world
  for (const pull of forge.pulls.filter(({ state }) => state === 'open')) {
    const kind = random.int(30)
    if (kind < 4) forge.merge(pull.number, random.pick(['merge', 'squash'] as const))
    else if (kind < 6) forge.close(pull.number)
    else if (kind < 8)
      forge.push(pull.branch, { [`docs/by-people/${random.int(1e6)}.md`]: '# By a person\n' }, 'By a person')
    else if (kind < 10) forge.remarks.comment(pull.number, { text: 'Looks fine to me.' })
    noteMerged(world)
  }
  if (random.chance(0.3)) {
    const path = `docs/news/${random.int(1e6)}.md`
    docs.note(forge.push('main', { [path]: '# News\n' }, 'News'), { kind: 'docs', paths: [path], job: undefined })
  }
}

const jobOf = (branch: string) => /job_[a-z0-9]{20}/.exec(branch)?.[0]

/** Merges that the oracle has not seen yet, by people or by the service. */
function noteMerged({ forge, docs, truth }: ForgeWorld): void {
  const known = new Set(docs.all().map(({ id }) => id))
  for (const { branch, mergeCommit } of forge.pulls.toSorted((a, b) =>
    (a.mergedAt ?? '').localeCompare(b.mergedAt ?? ''),
  )) {
    if (mergeCommit === null || known.has(mergeCommit)) continue
    truth.publish(docs.note(mergeCommit, { kind: 'published', paths: ['docs/notes.md'], job: jobOf(branch) }))
  }
}

/** The pull requests of jobs, as the forge has them. */
function notePulls({ forge, truth }: ForgeWorld): void {
  for (const { branch, number, state, createdAt } of forge.pulls) {
    const job = truth.jobs.get(jobOf(branch) ?? '')
    if (job) job.pull = { number, state, since: new Date(createdAt), runs: 0 }
  }
}

/** At the moment at which another pull request is opened: an automation that groups its runs has no open one with room. */
function expectOnePull({ forge, truth }: ForgeWorld): void {
  for (const automation of truth.automations.filter(({ grouping }) => grouping === 'one')) {
    const open = forge.pulls.filter(({ state, branch }) => {
      return state === 'open' && truth.jobs.get(jobOf(branch) ?? '')?.automation === automation
    })
    assert.ok(open.length <= 2, `${automation.name} has ${open.length} open pull requests`)
  }
}

/** Polls each minute, as the service does, while people comment. Returns how many requests the forge counts. */
async function watchAnHour({ forge, clock, poll }: ForgeWorld): Promise<number> {
  const before = forge.requests.length
  for (let at = 0; at < 60; at += 1) {
    await clock.pass(minute)
    const open = at % 10 === 0 ? forge.pulls.filter(({ state }) => state === 'open') : []
    for (const { number } of open) forge.remarks.comment(number, { text: 'Still fine.' })
    await poll()
  }
  // GitHub does not count what is unchanged.
  const isCounted = ({ route, status }: TestForge['requests'][number]) => !route.startsWith('git ') && status !== 304
  const counted = forge.requests.slice(before).filter(isCounted)
  const routes = [...Map.groupBy(counted, ({ route }) => route)].map(([route, all]) => `${all.length} ${route}`)
  assert.ok(counted.length <= mostAnHour, `${counted.length} requests in an hour: ${routes.join(', ')}`)
  return counted.length
}

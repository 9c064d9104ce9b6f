// A time of automations whose runs end as a script says: days of merges, people who decide and change their minds, processes that are off
// for hours or days. Compares with the oracle on the way and at the end.

import assert from 'node:assert/strict'
import type { Cleanup } from '../support/git-remote.ts'
import { createRandom, type Random } from '../support/random.ts'
import { endOne } from './ends.ts'
import { addAutomations } from './automations.ts'
import { expectLedger, expectPositions } from './oracle.ts'
import { answerQuestions, askForOne, decidePulls, mergeOne, pauseOrResume, turn } from './people.ts'
import { openWorld, type World } from './world.ts'

export type Simulation = {
  readonly seed: number
  readonly merges: number
  readonly days: number
  readonly stepsOfDay: number
  readonly start: Date
}

const minute = 60_000
const hour = 60 * minute

/** Returns what happened, in numbers. Throws where the code and the oracle differ. */
export async function simulate(
  t: Cleanup,
  { seed, merges, days, stepsOfDay, start }: Simulation,
): Promise<Readonly<Record<string, number>>> {
  const random = createRandom(seed)
  const world = await openWorld(t, start)
  await addAutomations(world)
  await world.step()
  const slices = days * stepsOfDay
  let merged = 0
  let off = 0
  for (let at = 1; at <= slices; at += 1) {
    await world.clock.pass((24 * hour) / stepsOfDay - 20 * minute + random.int(40) * minute)
    while (merged < (merges * at) / slices) {
      mergeOne(world, random)
      merged += 1
    }
    if (off > 0) off -= 1
    else if (random.chance(0.01)) off = random.pick([1, 2, 4, 8, 30])
    else await liveOn(world, random)
    if (at % (30 * stepsOfDay) === 0) await compare(world)
  }
  await drain(world, random)
  await compare(world)
  const compared = await expectLedger(world.db, world.truth, world.projectId, [world.docs, ...world.sources])
  const ends = Object.groupBy(world.truth.runs, ({ end = 'open' }) => end)
  const counts = Object.fromEntries(Object.entries(ends).map(([end, runs]) => [end, runs?.length ?? 0]))
  return { merges: merged, compared, runs: world.truth.runs.length, jobs: world.truth.jobs.size, ...counts }
}

async function liveOn(world: World, random: Random): Promise<void> {
  if (random.chance(0.3)) await decidePulls(world, random)
  if (random.chance(0.1)) await answerQuestions(world, random)
  if (random.chance(0.08)) await askForOne(world, random)
  if (random.chance(0.03)) await pauseOrResume(world, random)
  for (const mayLook of [true, false]) {
    await world.step(mayLook)
    while (!random.chance(0.15) && (await endOne(world, random)));
    await world.clock.pass(6 * minute)
  }
  if (random.chance(0.25)) await world.triage()
}

/** The rows are those of the history once the branches were read. */
async function compare(world: World): Promise<void> {
  await world.clock.pass(40 * minute)
  await world.step()
  await expectPositions(world.db, world.truth)
}

/** Everything is on, and runs end well: nothing waits forever. */
async function drain(world: World, random: Random): Promise<void> {
  const { db, truth } = world
  for (const automation of truth.automations) if (!automation.isOn) await turn(world, automation, true)
  for (let round = 0; ; round += 1) {
    await world.clock.pass(6 * hour)
    await world.step()
    while (await endOne(world, random, 'no_changes'));
    const left = await findWaiting(db)
    if (left.length === 0) return
    // A week, and one more for a cron: a host that was away is asked again after a day at most.
    assert.ok(round < 60, `nothing waits forever: ${left.slice(0, 5).join()}`)
  }
}

/** Commits and runs. */
async function findWaiting(db: World['db']): Promise<readonly string[]> {
  const commits = db.selectFrom('automation_commits').select('subject').where('state', '=', 'waiting')
  const runs = db.selectFrom('automation_runs').select('id').where('settled_at', 'is', null)
  const [waiting, open] = [await commits.where('left_at', 'is', null).execute(), await runs.execute()]
  return [...waiting.map(({ subject }) => subject), ...open.map(({ id }) => id)]
}

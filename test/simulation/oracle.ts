// The rules of automations, for any time and for the end of a simulation. Reads what the code has stored, and compares it with what the
// simulation knows.

import assert from 'node:assert/strict'
import { readLedger } from '../../src/automations/ledger/ledger.ts'
import { ledgerStates, type LedgerState } from '../../src/automations/ledger/states.ts'
import type { Db } from '../../src/postgres/types.ts'
import type { Commit, History } from './history.ts'
import { dayOf } from './slots.ts'
import type { Automation, Run, Truth } from './truth.ts'

/** A run may begin: no circle, no cap, and one run of an automation at a time. */
export function expectMayBegin(truth: Truth, run: Run, most: { readonly runsPerDay: number }): void {
  const { automation, job, at } = run
  const day = dayOf(at).toString()
  const today = truth.runs.filter((one) => dayOf(one.at).toString() === day)
  const own = today.filter((one) => one.automation === automation)
  assert.ok(today.length < most.runsPerDay, `${automation.name} begins beyond the cap of the project on ${day}`)
  assert.ok(own.length < automation.caps.runsPerDay, `${automation.name} begins beyond its cap on ${day}`)
  const cost = own.reduce((sum, { costUsd }) => sum + costUsd, 0)
  const shown = own.map((one) => `${one.id} ${one.job} ${one.at.toISOString()} ${one.end} ${one.costUsd}`).join('; ')
  const beyond = `${automation.name} begins beyond its cap in money at ${at.toISOString()}: ${run.id} after ${shown}`
  assert.ok(cost < automation.caps.costUsdPerDay, beyond)
  const active = truth.runs.filter((one) => one.automation === automation && one.end === undefined)
  assert.equal(active.length, 0, `${automation.name} has one run at a time`)
  assert.ok(automation.isOn, `${automation.name} begins while it is paused`)
  assert.equal(new Set(run.commits).size, run.commits.length)
  for (const id of run.commits) {
    const commit = automation.follows?.find(id)
    assert.ok(commit, 'the automation follows the branch of the commit')
    const states = truth.statesOf(automation, commit)
    const shown = `${automation.name} is given ${id} (${commit.kind}), which is ${states.join(' or ')}`
    assert.ok(states.includes('waiting'), `${shown}; ${truth.startsNothing(automation, commit)}`)
  }
  expectOnePull(truth, automation, { job, at })
}

const fullDays = 14
const fullRuns = 10

/**
 * A grouping automation begins no further pull request while one is open that has room. It may continue any that is open: a person who
 * answers late opens that of an older job beside that of a newer one.
 */
function expectOnePull(truth: Truth, automation: Automation, { job, at }: Pick<Run, 'at' | 'job'>): void {
  if (automation.grouping === 'each' || truth.jobs.get(job)?.pull?.state === 'open') return
  for (const [id, { automation: of, pull }] of truth.jobs) {
    if (of !== automation || pull?.state !== 'open') continue
    const days = (at.getTime() - pull.since.getTime()) / 86_400_000
    if (pull.runs >= fullRuns || days >= fullDays) continue
    const had = truth.runs.filter((run) => run.job === id).map((run) => `${run.id} ${run.end} ${run.at.toISOString()}`)
    const shown = `#${pull.number} has room: ${pull.runs} runs, ${days.toFixed(3)} days, ${had.join(', ')}`
    assert.fail(`${automation.name} begins another pull request in ${job} at ${at.toISOString()}, and ${shown}`)
  }
}

/** Each commit of the history has one row for each automation, and each slot has one run. */
export async function expectPositions(db: Db, truth: Truth): Promise<void> {
  for (const { id, name, follows, slots } of truth.automations) {
    if (follows) {
      const rows = await readRows(db, id)
      const wanted = follows.all().map((commit) => commit.id)
      assert.deepEqual(rows.map(({ commit }) => commit).toSorted(), wanted.toSorted(), name)
    }
    if (!slots) continue
    const runs = await db.selectFrom('automation_runs').select('slot').where('automation_id', '=', id).execute()
    const started = runs.flatMap(({ slot }) => slot?.toISOString() ?? [])
    assert.deepEqual(
      started.toSorted(),
      slots.due.map((slot) => slot.toISOString()),
      name,
    )
  }
}

/** Once nothing is left to do: each commit of the final history is in a state that is right, and the ledger shows the best of them. */
export async function expectLedger(
  db: Db,
  truth: Truth,
  projectId: string,
  histories: readonly History[],
): Promise<number> {
  let compared = 0
  for (const automation of truth.automations) {
    if (automation.follows) compared += await expectRows(db, truth, automation, automation.follows)
  }
  for (const history of histories) {
    const following = truth.automations.filter((one) => one.follows === history && one.isJudged)
    if (following.length > 0) await expectShown(db, { truth, projectId, history, following })
  }
  return compared
}

async function expectRows(db: Db, truth: Truth, automation: Automation, history: History): Promise<number> {
  const rows = await readRows(db, automation.id)
  const wanted = history.all()
  const byId = new Map(rows.map((row) => [row.commit, row]))
  for (const commit of wanted) {
    const row = byId.get(commit.id)
    const states = truth.statesOf(automation, commit)
    const of = {
      in_run: ['waiting', 'documented', 'rejected'],
      waiting: ['waiting'],
      skipped: ['skipped'],
      set_aside: ['set_aside'],
      rejected: ['rejected'],
    }
    const isRight = states.some((state) => of[row?.state ?? 'waiting'].includes(state))
    const shown = `${automation.name}: ${row?.subject} (${commit.kind}) is ${row?.state}, ${row?.score}, ${row?.reason}`
    assert.ok(
      isRight,
      `${shown}; right: ${states.join()}; its runs: ${JSON.stringify(namesOf(truth, automation, commit))}`,
    )
  }
  return wanted.length
}

function readRows(db: Db, automationId: string) {
  const query = db.selectFrom('automation_commits').selectAll().where('automation_id', '=', automationId)
  return query.where('left_at', 'is', null).execute()
}

function namesOf(truth: Truth, automation: Automation, commit: Commit) {
  return truth
    .runsWith(automation, commit.id)
    .map(({ id, end, commits, job }) => ({ id, job, end, count: commits.length }))
}

type Shown = {
  readonly truth: Truth
  readonly projectId: string
  readonly history: History
  readonly following: readonly Automation[]
}

async function expectShown(db: Db, { truth, projectId, history, following }: Shown): Promise<void> {
  const shown = new Map<string, LedgerState>()
  for (let cursor: string | undefined; ;) {
    const filter = { source: history.name === 'docs' ? null : history.name, limit: 1_000, cursor }
    const page = await readLedger({ db, publicUrl: 'http://x' }, projectId, filter)
    for (const { commit, state } of page.entries) shown.set(commit, state)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  assert.equal(shown.size, history.all().length)
  const ranks = (['documented', 'rejected', 'set_aside', 'waiting', 'skipped'] as const).toSorted()
  assert.deepEqual(ranks, ledgerStates.toSorted())
  for (const commit of history.all()) {
    const each = following.map((automation) => truth.statesOf(automation, commit))
    const right = combine(each)
    const state = shown.get(commit.id) ?? 'waiting'
    assert.ok(right.has(state), `${history.name}: ${commit.id} is ${state} in the ledger; right: ${[...right].join()}`)
  }
}

const best = ['documented', 'rejected', 'set_aside', 'waiting', 'skipped'] as const

/** The best state of one choice for each automation, for all choices. */
function combine(each: readonly (readonly LedgerState[])[]): ReadonlySet<LedgerState> {
  const choices = each.reduce<readonly LedgerState[]>(
    (before, states) =>
      before.flatMap((one) => states.map((state) => (best.indexOf(one) < best.indexOf(state) ? one : state))),
    ['skipped'],
  )
  return new Set(choices)
}

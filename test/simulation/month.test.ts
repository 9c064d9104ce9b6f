// A month of automations with a fixed seed, the change to daylight saving in it. `npm run simulate` has a year.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from './simulate.ts'
import { simulateRuns } from './simulate-runs.ts'

test('the oracle agrees with the positions, the ledger and the slots of a month', async (t) => {
  const start = new Date('2026-03-10T05:00:00Z')
  const happened = await simulate(t, { seed: 1, merges: 60, days: 30, stepsOfDay: 1, start })
  for (const kind of ['pull_request', 'no_changes', 'question', 'failed', 'away', 'cancelled']) {
    assert.ok((happened[kind] ?? 0) > 0, `no run ended with ${kind}`)
  }
})

test('the oracle agrees with whole runs on a forge that fails', async (t) => {
  const happened = await simulateRuns(t, { seed: 1, merges: 8 })
  for (const kind of ['pulls', 'failed', 'runs']) assert.ok((happened[kind] ?? 0) > 0, kind)
})

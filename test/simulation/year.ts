// Simulates a year of automations whose runs end as a script says, and then whole runs on a forge that fails:
// node test/simulation/year.ts --seed 1 --merges 5000 --whole 150. Ends with an error where the code and the oracle differ, and
// otherwise prints what happened.

import { parseArgs } from 'node:util'
import type { Cleanup } from '../support/git-remote.ts'
import { simulate } from './simulate.ts'
import { simulateRuns } from './simulate-runs.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    merges: { type: 'string', default: '5000' },
    days: { type: 'string', default: '365' },
    whole: { type: 'string', default: '150' },
  },
})
const [seed = 1, merges = 0, days = 0, whole = 0] = [values.seed, values.merges, values.days, values.whole].map(Number)
const start = new Date('2026-01-05T05:00:00Z')

async function measure(name: string, work: (t: Cleanup) => Promise<Readonly<Record<string, number>>>): Promise<void> {
  const ending: (() => unknown)[] = []
  const began = performance.now()
  try {
    console.log(name, await work({ after: (end) => void ending.push(end as () => unknown) }))
    console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s`)
  } finally {
    for (const end of ending.toReversed()) await end()
  }
}

if (merges > 0) await measure('a year', (t) => simulate(t, { seed, merges, days, stepsOfDay: 1, start }))
if (whole > 0) await measure('whole runs', (t) => simulateRuns(t, { seed, merges: whole }))
process.exit()

// Simulates a year of automations: node test/simulation/year.ts --seed 1 --merges 5000. Ends with an error where the code and the oracle
// differ, and otherwise prints what happened.

import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    merges: { type: 'string', default: '5000' },
    days: { type: 'string', default: '365' },
  },
})
const ending: (() => unknown)[] = []
const began = performance.now()
try {
  const [seed = 1, merges = 0, days = 0] = [values.seed, values.merges, values.days].map(Number)
  const t = { after: (end: () => unknown) => void ending.push(end) } as Parameters<typeof simulate>[0]
  console.log(await simulate(t, { seed, merges, days, stepsOfDay: 1, start: new Date('2026-01-05T05:00:00Z') }))
  console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s`)
} finally {
  for (const end of ending.toReversed()) await end()
}
process.exit()

// The start of a command as a multiple of bare Node in the same run: CPU time, and the least of a few starts, because a busy
// machine can only add to it. `node bench/start.ts` prints milliseconds.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { bare, launcher, openStartMeter } from '../support/cpu-time.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const runs = 3

/** With a filled compile cache. Bare Node takes 50 ms of CPU: 5.5 times that is 0.23 s more. */
const commands: readonly (readonly [command: string, most: number])[] = [
  ['--version', 3],
  ['--help', 3],
  ['job list', 5.5],
  ['project list', 5.5],
]

test('a command that needs no engine costs little more CPU than bare Node', async (t) => {
  const folder = await temporaryFolder('start')
  t.after(() => removeFolder(folder))
  const meter = await openStartMeter(folder)
  t.after(meter.close)
  const cache = () => join(folder, 'cache')
  const { least: node } = await meter.measure(bare, runs, cache)
  for (const [command, most] of commands) {
    const args = [launcher, ...command.split(' ')]
    await meter.measure(args, 1, cache)
    const { least } = await meter.measure(args, runs, cache)
    const ratio = least / node
    t.diagnostic(`docent ${command}: ${ratio.toFixed(1)} times bare Node`)
    assert.ok(ratio <= most, `docent ${command} costs ${ratio.toFixed(1)} times the CPU of bare Node, not ${most}`)
  }
})

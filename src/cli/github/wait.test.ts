import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { waitForApp } from './wait.ts'

const hour = 3_600_000

function setUp(options: { readonly onTerminal: boolean }) {
  const clock = createManualClock()
  const warned: string[] = []
  const written: string[] = []
  const stopping = new AbortController()
  const state = { app: undefined as string | undefined, asked: 0 }
  const terminal = { write: (text: string) => void written.push(text), columns: () => 120 }
  const output = {
    print: () => undefined,
    warn: (line: string) => void warned.push(line),
    colours: false,
    ...(options.onTerminal ? { terminal } : {}),
  }
  const find = () => {
    state.asked += 1
    return Promise.resolve(state.app)
  }
  const expiresAt = new Date(clock.now().getTime() + hour).toISOString()
  const waiting = waitForApp({ output, stop: stopping.signal, clock, find }, { expiresAt })
  return { clock, warned, written, stopping, state, waiting }
}

suite('waiting for a GitHub App', () => {
  test('it looks every two seconds and ends with the App', async () => {
    const { clock, written, state, waiting } = setUp({ onTerminal: true })
    await clock.untilAsleep(1)
    await clock.pass(1_999)
    assert.equal(state.asked, 1)
    state.app = 'app'
    await clock.pass(1)
    assert.equal(await waiting, 'app')
    assert.equal(state.asked, 2)
    assert.match(written.join(''), /Waiting until the App exists; the address works for 60 more minutes/)
  })

  test('without a terminal it says once that it waits', async () => {
    const { clock, warned, state, waiting } = setUp({ onTerminal: false })
    await clock.untilAsleep(1)
    state.app = 'app'
    await clock.pass(2_000)
    assert.equal(await waiting, 'app')
    assert.equal(warned.length, 1)
    assert.match(warned[0] ?? '', /^Waiting until the App exists/)
  })

  test('an expired address is reported with advice; a stop prints nothing', async () => {
    const expired = setUp({ onTerminal: false })
    await expired.clock.untilAsleep(1)
    await expired.clock.pass(hour)
    assert.equal(await expired.waiting, undefined)
    assert.match(expired.warned.at(-1) ?? '', /docent github create-app/)
    const stopped = setUp({ onTerminal: true })
    await stopped.clock.untilAsleep(1)
    stopped.stopping.abort()
    assert.equal(await stopped.waiting, undefined)
    assert.deepEqual(stopped.warned, [])
  })
})

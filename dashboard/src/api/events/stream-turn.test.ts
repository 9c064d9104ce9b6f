import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createStreamTurn, type Message, type StreamTurn } from './stream-turn.ts'

type Tab = StreamTurn & { hasTurn: boolean; isVisible: boolean }

/** Tabs on one channel: every message reaches the others after the current one was handled. */
function openTabs(times: readonly number[]) {
  const tabs: Tab[] = []
  const waiting: (() => void)[] = []
  for (const [index, at] of times.entries()) {
    const send = (message: Message) => {
      for (const [other, tab] of tabs.entries()) if (other !== index) waiting.push(() => tab.receive(message))
    }
    const state = { hasTurn: false, isVisible: true }
    const deps = { send, id: String(index), now: () => at, wants: () => state.isVisible }
    const turn = createStreamTurn({ ...deps, changed: (hasTurn) => (state.hasTurn = hasTurn) })
    tabs.push(Object.assign(state, turn))
  }
  const deliver = () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next()
  }
  return { tabs, deliver, streaming: () => tabs.flatMap(({ hasTurn }, index) => (hasTurn ? [index] : [])) }
}

suite('which tab has the stream', () => {
  test('when tabs open at the same moment, exactly one holds the stream', () => {
    for (const times of [
      [1, 2, 3],
      [3, 2, 1],
      [1, 1, 1],
    ]) {
      const { tabs, deliver, streaming } = openTabs(times)
      for (const tab of tabs) tab.claim()
      deliver()
      assert.equal(streaming().length, 1, String(times))
    }
  })

  test('the tab that was looked at last takes it over', () => {
    const { tabs, deliver, streaming } = openTabs([1, 2])
    tabs[0]?.claim()
    deliver()
    tabs[1]?.claim()
    deliver()
    assert.deepEqual(streaming(), [1])
  })

  test('a tab that closes leaves it to one that is visible', () => {
    const { tabs, deliver, streaming } = openTabs([1, 2, 3])
    for (const tab of tabs) tab.claim()
    deliver()
    Object.assign(tabs[0] ?? {}, { isVisible: false })
    tabs[2]?.release()
    Object.assign(tabs[2] ?? {}, { isVisible: false })
    deliver()
    assert.deepEqual(streaming(), [1])
  })
})

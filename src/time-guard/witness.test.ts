import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createWitness } from './witness.ts'

test('a response counts from a public address over https, and its time runs on', async () => {
  const power = { on: 1_000 }
  const witness = createWitness(() => power.on)
  const settle = async () => {
    for (let turn = 0; turn < 100 && witness.time() === undefined; turn += 1) await setImmediate()
    return witness.time()
  }
  const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
  for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/', 'http://192.0.43.8/', 'no address']) {
    witness.report({ url, date })
  }
  witness.report({ url: 'https://192.0.43.8/', date: null })
  assert.equal(await settle(), undefined)
  witness.report({ url: 'https://192.0.43.8/', date })
  assert.equal(await settle(), Date.parse(date))
  power.on += 60_000
  assert.equal(witness.time(), Date.parse(date) + 60_000)
})

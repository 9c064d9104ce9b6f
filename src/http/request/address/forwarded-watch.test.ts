import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createForwardedWatch } from './forwarded-watch.ts'

test('unknown proxies are logged once an hour, and reported for an hour after', () => {
  const said: string[] = []
  const time = { now: 0 }
  const watch = createForwardedWatch(
    { warn: (_use: object, text?: string) => said.push(text ?? '') },
    { now: () => new Date(time.now) },
  )
  const flood = () => {
    for (let n = 0; n < 60; n += 1) watch.see('127.0.0.1', `198.51.100.${n}`)
  }
  assert.equal(watch.find(), undefined)
  flood()
  assert.deepEqual(watch.find(), { addresses: 1, forwarded: 60, requests: 60, of: 60 })
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /20 of 20 requests came from 1 address .* set DOCENT_TRUSTED_PROXIES/)
  time.now = 3_600_000
  assert.equal(watch.find()?.forwarded, 60, 'of the hour before')
  flood()
  assert.equal(said.length, 2)
  time.now += 2 * 3_600_000
  assert.equal(watch.find(), undefined)
})

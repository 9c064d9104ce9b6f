import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { HostHeads } from '../../forge/heads/heads.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { Postgres } from '../../postgres/types.ts'
import { confirmHead } from './confirm-head.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const known = { branch: 'main', commit: 'a'.repeat(40), isDefault: true, tags: {} }
const answer = { isStill: true, tags: {} }

/** A host that counts so many requests for each question. */
function hostThatCounts(account: string, given: { readonly quota: number | null; readonly costs: number }) {
  const state = { asked: 0, requests: 0 }
  const confirm: HostHeads['confirm'] = () => {
    state.asked += 1
    state.requests += given.costs
    return Promise.resolve(answer)
  }
  const host = { account, heads: { quota: given.quota, confirm }, countRequests: () => state.requests }
  const connection = { kind: null, forge: null, credential: () => Promise.resolve(undefined) }
  const connections = { of: () => Promise.resolve({ ...connection, host: host as unknown as ForgeHost }) }
  const ask = () => confirmHead({ db: postgres.db, connections }, 'src_1', known, new AbortController().signal)
  return { state, ask }
}

test('an account that has spent its requests is not asked; unchanged ones are free', async () => {
  const busy = hostThatCounts('busy', { quota: 3, costs: 1 })
  for (let at = 0; at < 3; at += 1) assert.deepEqual(await busy.ask(), answer)
  assert.equal(await busy.ask(), undefined)
  assert.equal(busy.state.asked, 3)
  for (const { ask } of [
    hostThatCounts('quiet', { quota: 3, costs: 0 }),
    hostThatCounts('free', { quota: null, costs: 9 }),
  ]) {
    for (let at = 0; at < 5; at += 1) assert.deepEqual(await ask(), answer)
  }
})

test('an owner without a host, and a host without such an API, are not asked', async () => {
  const connection = { kind: null, forge: null, credential: () => Promise.resolve(undefined) }
  for (const host of [undefined, { account: 'ada' } as unknown as ForgeHost]) {
    const connections = { of: () => Promise.resolve({ ...connection, host }) }
    const asked = confirmHead({ db: postgres.db, connections }, 'src_1', known, new AbortController().signal)
    assert.equal(await asked, undefined)
  }
})

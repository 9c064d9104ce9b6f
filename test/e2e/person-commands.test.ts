// The commands about people, as an operator runs them beside the service.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runCommand } from '../support/command.ts'
import { type OneService, startOneService } from '../support/one-service.ts'

let t: OneService

before(async () => {
  t = await startOneService({ 'index.md': '# Home\n' })
})
after(() => t.close())

const docent = (...args: readonly string[]) => runCommand(args, t.environment)

async function send(path: string, json: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
  return fetch(`${t.service.address}${path}`, { method: 'POST', headers, body: JSON.stringify(json) })
}

const tokenIn = (text: string, path: string) => new RegExp(`${t.service.address}${path}#(\\w{43})`).exec(text)?.[1]

test('an operator creates the first account, resets its password and removes others', async () => {
  const setup = await docent('setup-link')
  const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }
  assert.equal((await send('/v1/setup', { ...ada, token: tokenIn(setup.stdout, '/setup') })).status, 201)
  assert.match((await docent('setup-link')).stderr, /This link was used/)

  const reset = await docent('person', 'reset', 'Ada@example.com')
  const password = 'another four plain words'
  const used = await send('/v1/session/link', { token: tokenIn(reset.stdout, '/new-password'), password })
  assert.equal(used.status, 200)
  assert.equal((await send('/v1/session', { email: ada.email, password })).status, 200)
  assert.match((await docent('person', 'reset', 'bob@example.com')).stderr, /Nobody has an account/)

  const invited = await docent('person', 'invite', 'bob@example.com', '--role', 'editor')
  const token = tokenIn(invited.stdout, '/invitation') ?? ''
  assert.equal((await send(`/v1/invitations/${token}/accept`, { name: 'Bob', password })).status, 201)
  assert.match((await docent('person', 'list')).stdout, /^bob@example\.com +Bob +editor/m)
  assert.match((await docent('person', 'remove', 'bob@example.com')).stderr, /--yes/)
  assert.equal((await docent('person', 'remove', 'bob@example.com', '--yes')).code, 0)
  assert.match((await docent('person', 'remove', ada.email, '--yes')).stderr, /only admin/)
  assert.doesNotMatch((await docent('person', 'list')).stdout, /bob/)

  const carl = await docent('person', 'invite', 'carl@example.com', '--role', 'admin')
  const joined = await send(`/v1/invitations/${tokenIn(carl.stdout, '/invitation')}/accept`, { name: 'Carl', password })
  const [own = ''] = (joined.headers.get('Set-Cookie') ?? '').split(';')
  const asCarl = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', Cookie: own }
  const post = async (path: string, json: object) => {
    const sent = await fetch(t.service.address + path, { method: 'POST', headers: asCarl, body: JSON.stringify(json) })
    return (await sent.json()) as { readonly id: string }
  }
  const { id } = await post('/v1/keys', { name: 'CI' })
  await post('/v1/invitations', { email: 'dora@example.com' })
  assert.match((await docent('person', 'role', 'carl@example.com', 'boss')).stderr, /viewer, editor, admin/)
  const demoted = (await docent('person', 'role', 'carl@example.com', 'editor')).stdout
  assert.match(demoted, /^carl@example\.com is an editor now\.\nWithdrawn invitations: dora@example\.com\.\n/)
  assert.match(demoted, new RegExp(`\n  docent key revoke ${id}  # CI\n$`))
  await docent('person', 'role', 'carl@example.com', 'admin')
  const removed = await docent('person', 'remove', 'carl@example.com', '--yes', '--revoke-keys', '--json')
  assert.partialDeepStrictEqual(JSON.parse(removed.stdout), { keys: [{ id }], areRevoked: true })
  assert.match((await docent('key', 'list')).stdout, new RegExp(`^${id} .* revoked `, 'm'))
  assert.match((await docent('doctor', '--no-model')).stdout, /✓ admins: 1; no role came from a key with limits/)

  const [cookie = ''] = (used.headers.get('Set-Cookie') ?? '').split(';')
  const audit = await fetch(`${t.service.address}/v1/audit`, { headers: { Cookie: cookie } })
  const { entries } = (await audit.json()) as {
    readonly entries: readonly { readonly action: string; readonly actor: { readonly kind: string } }[]
  }
  const made = entries.find(({ action }) => action === 'createSignInLink')
  assert.equal(made?.actor.kind, 'operator')
})

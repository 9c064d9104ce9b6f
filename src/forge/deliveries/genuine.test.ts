import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import { createSigningSecret, signedHeaders } from '../../lib/outbound/standard-webhooks.ts'
import type { HookedForge } from './address.ts'
import { readEvent } from './event.ts'
import { isGenuine } from './genuine.ts'

const now = new Date('2026-11-20T09:00:00Z')
const secret = createSigningSecret()
const text = '{ "zen": "Keep it logically awesome. ✓" }'
const digest = (of = text, by = secret) => createHmac('sha256', by).update(of).digest('hex')
const standard = (of = text, by = secret, at = now) => signedHeaders(by, { id: 'msg_1', body: of }, at)

/** Names of headers count in any case, as in HTTP. */
function judge(forge: HookedForge, headers: Readonly<Record<string, string>>): boolean {
  const sent = new Headers(headers)
  const delivery = { body: Buffer.from(text), header: (name: string) => sent.get(name) ?? undefined }
  return isGenuine(forge, secret, delivery, now)
}

suite('a delivery is genuine', () => {
  const genuine: readonly (readonly [HookedForge, Readonly<Record<string, string>>])[] = [
    ['github', { 'X-Hub-Signature-256': `sha256=${digest()}` }],
    ['github', { 'X-Hub-Signature-256': `sha256=${digest().toUpperCase()}` }],
    ['gitea', { 'X-Gitea-Signature': digest() }],
    ['gitea', { 'X-Forgejo-Signature': digest() }],
    ['gitlab', { 'X-Gitlab-Token': secret }],
    ['gitlab', standard()],
    ['gitlab', standard(text, secret, new Date(now.getTime() - 299_000))],
  ]
  for (const [at, [forge, headers]] of genuine.entries()) {
    test(`${at}: ${forge} with ${Object.keys(headers).join(', ')}`, () => assert.equal(judge(forge, headers), true))
  }
})

suite('a delivery is not genuine', () => {
  const other = createSigningSecret()
  const forged: readonly (readonly [HookedForge, Readonly<Record<string, string>>])[] = [
    ['github', {}],
    ['github', { 'X-Hub-Signature-256': '' }],
    ['github', { 'X-Hub-Signature-256': 'sha256=' }],
    ['github', { 'X-Hub-Signature-256': `sha256=${digest().slice(0, -2)}` }],
    ['github', { 'X-Hub-Signature-256': `sha256=${digest(`${text} `)}` }],
    ['github', { 'X-Hub-Signature-256': `sha256=${digest(text, other)}` }],
    ['github', { 'X-Gitea-Signature': digest() }],
    ['github', { 'X-Gitlab-Token': secret }],
    ['gitea', { 'X-Gitea-Signature': digest(text, other) }],
    ['gitea', { 'X-Gitlab-Token': secret }],
    ['gitlab', {}],
    ['gitlab', { 'X-Gitlab-Token': '' }],
    ['gitlab', { 'X-Gitlab-Token': secret.slice(0, -1) }],
    ['gitlab', { 'X-Gitlab-Token': other }],
    ['gitlab', standard(`${text} `)],
    ['gitlab', standard(text, other)],
    ['gitlab', standard(text, secret, new Date(now.getTime() - 301_000))],
    ['gitlab', { 'X-Hub-Signature-256': `sha256=${digest()}` }],
  ]
  for (const [at, [forge, headers]] of forged.entries()) {
    test(`${at}: ${forge} with ${Object.keys(headers).join(', ')}`, () => assert.equal(judge(forge, headers), false))
  }
})

test('an event says where something happened, and whether a branch may have moved', () => {
  const read = (body: unknown) => readEvent(Buffer.from(JSON.stringify(body)))
  const here = { repository: 'acme/docs', isPush: false }
  assert.deepEqual(read({ action: 'created', repository: { full_name: 'Acme/Docs' } }), here)
  assert.deepEqual(read({ ref: 'refs/heads/main', repository: { full_name: 'acme/docs' } }), { ...here, isPush: true })
  const project = { path_with_namespace: 'acme/docs' }
  // GitLab's `repository` has a name and an address.
  assert.deepEqual(read({ object_kind: 'note', project, repository: { name: 'docs' } }), here)
  assert.deepEqual(read({ object_kind: 'push', ref: 'refs/heads/main', project }), { ...here, isPush: true })
  const form = `payload=${encodeURIComponent(JSON.stringify({ ref: 'x', repository: { full_name: 'acme/docs' } }))}`
  assert.deepEqual(readEvent(Buffer.from(form)), { ...here, isPush: true })
})

test('an event about no repository is nothing', () => {
  const names = ['{"repository":{"full_name":7}}', '{"repository":{"full_name":""}}', '{"project":{}}']
  for (const text of ['', '{', '[]', 'null', '7', 'payload=', 'payload=%7B', ...names]) {
    assert.equal(readEvent(Buffer.from(text)), undefined, text)
  }
  assert.equal(readEvent(Buffer.from(JSON.stringify({ repository: { full_name: 'x'.repeat(501) } }))), undefined)
})

// How a wrong name chooses among names: what counts as the same, how similar is enough, and when nothing is clear.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choose, chooseText, toParts } from './choose.ts'

const of = (...paths: readonly string[]) => paths.map((path) => ({ value: path, name: toParts(path) }))
const chosen = (wanted: string, ...paths: readonly string[]) => choose(toParts(wanted), of(...paths))

test('a name has no case, extension, number in front or name of a first page', () => {
  for (const [path, parts] of [
    ['Guides/01-Deploy.MD', ['guides', 'deploy']],
    ['guides/2. teams/index.mdx', ['guides', 'teams']],
    ['./a/../README', ['a']],
    ['a/5', ['a', '5']],
    ['', []],
  ] as const)
    assert.deepEqual(toParts(path), parts, path)
})

test('the same name with other separators is meant if only one page has it', () => {
  assert.equal(chosen('rotate-keys', 'rotate_keys', 'rotate-a-key'), 'rotate_keys')
  assert.equal(chosen('rotate-keys', 'rotate_keys', 'rotate.keys'), undefined)
  assert.equal(chosen('', 'a'), undefined)
})

test('the page with most folders in common is meant when several have the name', () => {
  assert.equal(chosen('old/tokens', 'new/tokens'), 'new/tokens')
  assert.equal(chosen('v3/api/tokens', 'v2/api/tokens', 'v3/api/keys/tokens'), 'v3/api/keys/tokens')
  assert.equal(chosen('api/tokens', 'v2/api/tokens', 'v3/api/tokens'), undefined)
  assert.equal(chosen('x/tokens', 'v2/tokens', 'v3/tokens'), undefined)
})

test('a name that many folders have is only meant in its folder', () => {
  assert.equal(chosen('a/setup', 'b/setup'), undefined)
  assert.equal(chosen('a/setup', 'v2/a/setup', 'b/setup'), 'v2/a/setup')
  assert.equal(chosen('a/setup', 'a/setups'), undefined)
  assert.equal(chosen('a/deploy', 'a/deploys'), 'a/deploys')
})

test('a title is meant if only one page has it', () => {
  const sso = { value: 'sso', name: ['sso'], title: 'Single sign-on' }
  assert.equal(choose(['single-sign-on'], [sso, ...of('keys')]), 'sso')
  assert.equal(choose(['single-sign-on'], [sso, { ...sso, value: 'old' }]), undefined)
})

test('less similarity is enough among few candidates', () => {
  const among = (wanted: string, path: string, areFew: boolean) => choose(toParts(wanted), of(path), areFew)
  // 0.75 is enough, 0.7 is not.
  assert.equal(among('app', 'apps', false), 'apps')
  assert.equal(among('app', 'apply', false), undefined)
  assert.equal(among('app', 'apply', true), 'apply')
  // Two of three words.
  assert.equal(among('custom-domains', 'domains', false), undefined)
  assert.equal(among('custom-domains', 'domains', true), 'domains')
  // Half of the words.
  assert.equal(among('rotate-keys', 'rotate-certificates', true), undefined)
})

test('among similar names the folder decides, unless two are nearly as good', () => {
  assert.equal(chosen('a/settings-page', 'a/setting-pages', 'b/settings-pages'), 'a/setting-pages')
  assert.equal(chosen('settings-page', 'a/setting-pages', 'b/settings-pages'), undefined)
  assert.equal(chosen('a/webhook', 'a/webhooks', 'b/webhooks'), 'a/webhooks')
  assert.equal(chosen('c/webhookk', 'a/webhooks', 'b/webhooks'), undefined)
})

test('words that only look alike are not similar', () => {
  for (const [wanted, text, found] of [
    // A word with a digit is that word or another one.
    ['oauth', 'oauth2', false],
    ['ab', 'abc', false],
    ['deploy', 'deployment', true],
    ['ployde', 'deployment', false],
    ['the-key', 'key', true],
    [`y${'x'.repeat(39)}`, `z${'x'.repeat(39)}`, true],
    [`y${'x'.repeat(40)}`, `z${'x'.repeat(40)}`, false],
    ['create-a-key', 'delete-a-key', false],
  ] as const)
    assert.equal(chooseText(wanted, [text]), found ? text : undefined, wanted)
})

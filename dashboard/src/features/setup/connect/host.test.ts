import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, hostOf, nameOf, withoutCommand } from './host.ts'

test('an address says where its host is and how to sign in there', () => {
  const cases = [
    ['https://github.com/acme/docs.git', 'https://github.com', false, 'github'],
    ['https://git.example.com:8443/acme/docs', 'https://git.example.com:8443', false, undefined],
    ['ssh://git@git.example.com:2222/acme/docs.git', 'ssh://git.example.com:2222', true, undefined],
    ['git@github.com:acme/docs.git', 'ssh://github.com', true, undefined],
    ['/srv/docs.git', undefined, false, undefined],
    ['file:///srv/docs.git', undefined, false, undefined],
    ['', undefined, false, undefined],
  ] as const
  for (const [address, origin, isSsh, forge] of cases)
    assert.deepEqual(hostOf(address), { origin, isSsh, forge }, address)
})

test('a project gets the name of its repository', () => {
  const cases = [
    ['https://github.com/acme/docs.git', 'acme/docs'],
    ['https://github.com/acme/docs/?tab=readme', 'acme/docs'],
    ['git@github.com:acme/docs.git', 'acme/docs'],
    ['https://gitlab.com/group/team/docs', 'team/docs'],
    ['/srv/repositories/docs.git', 'docs'],
    ['', ''],
  ] as const
  for (const [address, name] of cases) assert.equal(nameOf(address), name, address)
})

test('a known host comes with the page that creates a token', () => {
  assert.equal(adviceFor(hostOf('https://codeberg.org/a/b'))?.url, 'https://codeberg.org/user/settings/applications')
  assert.equal(adviceFor(hostOf('https://git.example.com/a/b')), undefined)
})

test('a remedy is shown without the command that the form replaces', () => {
  assert.equal(
    withoutCommand('Create a token, then: docent project credential set Docs --token-file -'),
    'Create a token.',
  )
  assert.equal(withoutCommand('Give it a credential: docent project credential set a'), 'Give it a credential.')
  assert.equal(
    withoutCommand('Let it cover acme/docs: https://github.com/x.'),
    'Let it cover acme/docs: https://github.com/x.',
  )
})

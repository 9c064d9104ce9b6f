import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, hostOf, nameOf, offersFork, withoutCommand } from './host.ts'

test('hostOf returns the origin, whether it is ssh, and the forge if known', () => {
  const cases = [
    ['https://github.com/acme/docs.git', 'https://github.com', false, 'github'],
    ['https://git.example.com:8443/acme/docs', 'https://git.example.com:8443', false, undefined],
    ['ssh://git@git.example.com:2222/acme/docs.git', 'ssh://git.example.com:2222', true, undefined],
    ['git@github.com:acme/docs.git', 'ssh://github.com', true, undefined],
    ['https://dev.azure.com/acme/web/_git/docs', 'https://dev.azure.com', false, 'azure'],
    ['https://acme.visualstudio.com/_git/docs', 'https://acme.visualstudio.com', false, 'azure'],
    ['/srv/docs.git', undefined, false, undefined],
    ['file:///srv/docs.git', undefined, false, undefined],
    ['', undefined, false, undefined],
  ] as const
  for (const [address, origin, isSsh, forge] of cases)
    assert.deepEqual(hostOf(address), { origin, isSsh, forge }, address)
})

test('the suggested project name is the end of the address', () => {
  const cases = [
    ['https://github.com/acme/docs.git', 'acme/docs'],
    ['https://github.com/acme/docs/?tab=readme', 'acme/docs'],
    ['git@github.com:acme/docs.git', 'acme/docs'],
    ['https://gitlab.com/group/team/docs', 'team/docs'],
    ['https://acme@dev.azure.com/acme/Team%20docs/_git/The%20docs', 'Team docs/The docs'],
    ['https://dev.azure.com/acme/_git/docs', 'acme/docs'],
    ['https://acme.visualstudio.com/_git/docs', 'docs'],
    ['https://dev.azure.com/acme/%ZZ', '%ZZ'],
    ['/srv/repositories/docs.git', 'docs'],
    ['', ''],
  ] as const
  for (const [address, name] of cases) assert.equal(nameOf(address), name, address)
})

test('a known host has a link to create a token', () => {
  assert.equal(adviceFor('https://codeberg.org/a/b')?.url, 'https://codeberg.org/user/settings/applications')
  const page = 'https://bitbucket.org/acme/docs/admin/access-tokens'
  assert.equal(adviceFor('https://bitbucket.org/acme/docs.git')?.url, page)
  const tokens = 'https://dev.azure.com/acme/_usersSettings/tokens'
  assert.equal(adviceFor('https://acme@dev.azure.com/acme/web/_git/docs')?.url, tokens)
  const older = 'https://acme.visualstudio.com/_usersSettings/tokens'
  assert.equal(adviceFor('https://acme.visualstudio.com/DefaultCollection/web/_git/docs')?.url, older)
  assert.equal(adviceFor('https://git.example.com/a/b'), undefined)
  const { needs = '' } = adviceFor('https://github.com/acme/api.git', true) ?? {}
  assert.match(needs, /Contents: Read-only/)
  assert.doesNotMatch(needs, /write/i)
})

test('withoutCommand removes the docent command from a remedy', () => {
  assert.equal(
    withoutCommand('Create a token, then: docent project credential set Docs --token-file -'),
    'Create a token.',
  )
  assert.equal(withoutCommand('Generate a key, then run: docent github set-app --app-id 1'), 'Generate a key.')
  assert.equal(withoutCommand('Give it a credential: docent project credential set a'), 'Give it a credential.')
  assert.equal(
    withoutCommand('Let it cover acme/docs: https://github.com/x.'),
    'Let it cover acme/docs: https://github.com/x.',
  )
})

test('a fork is offered for a token that may only read, where the service can make one', () => {
  const rights = { read: 'yes', push: 'no', pullRequests: 'yes' } as const
  const offers = (forge: Parameters<typeof offersFork>[0]['forge']) =>
    offersFork({ forge, credential: 'token', rights })
  for (const forge of ['github', 'gitlab', 'gitea'] as const) assert.equal(offers(forge), true, forge)
  for (const forge of ['bitbucket', 'azure', null] as const) assert.equal(offers(forge), false, String(forge))
  assert.equal(offersFork({ forge: 'github', credential: 'github_app', rights }), false)
  assert.equal(offersFork({ forge: 'github', credential: 'token', rights: { ...rights, push: 'yes' } }), false)
})

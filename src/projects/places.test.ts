import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownForge } from '../forge/links/known-forge.ts'
import { gitUserOf, httpsOf, originOf, pathOf, usualApiUrl, webUrlOf } from './places.ts'

test('a repository has the origin of its host, and a folder has none', () => {
  assert.equal(originOf('https://github.com/acme/docs.git'), 'https://github.com')
  assert.equal(originOf('http://git.lan:3000/acme/docs'), 'http://git.lan:3000')
  assert.equal(originOf('ssh://git@git.lan/acme/docs'), 'ssh://git.lan')
  assert.equal(originOf('ssh://git@git.lan:2222/acme/docs'), 'ssh://git.lan:2222')
  assert.equal(originOf('git@github.com:acme/docs.git'), 'ssh://github.com')
  assert.equal(originOf('file:///srv/docs.git'), undefined)
  assert.equal(originOf('file:///srv/a@b:c.git'), undefined)
  assert.equal(originOf('/srv/docs.git'), undefined)
})

test('the forges that everybody knows are known by their host alone', () => {
  const table: [string, string | undefined][] = [
    ['https://github.com', 'github'],
    ['https://acme.ghe.com', 'github'],
    ['https://gitlab.com', 'gitlab'],
    ['https://codeberg.org', 'gitea'],
    ['https://bitbucket.org', 'bitbucket'],
    ['https://api.bitbucket.org', undefined],
    ['https://dev.azure.com', 'azure'],
    ['https://acme.visualstudio.com', 'azure'],
    ['https://visualstudio.com', undefined],
    ['https://dev.azure.com.example.org', undefined],
    ['https://github.com.example.org', undefined],
    ['https://notghe.com', undefined],
    ['https://git.example', undefined],
    ['https://constructor', undefined],
  ]
  for (const [origin, forge] of table) assert.equal(knownForge(origin), forge, origin)
})

test('each forge has its API at the usual address', () => {
  assert.equal(usualApiUrl('github', 'https://github.com'), 'https://api.github.com')
  assert.equal(usualApiUrl('github', 'https://acme.ghe.com'), 'https://api.acme.ghe.com')
  assert.equal(usualApiUrl('github', 'https://github.acme.example'), 'https://github.acme.example/api/v3')
  assert.equal(usualApiUrl('gitlab', 'https://gitlab.com'), 'https://gitlab.com/api/v4')
  assert.equal(usualApiUrl('gitea', 'http://git.lan:3000'), 'http://git.lan:3000/api/v1')
  assert.equal(usualApiUrl('bitbucket', 'https://bitbucket.org'), 'https://api.bitbucket.org/2.0')
  assert.equal(usualApiUrl('azure', 'https://dev.azure.com'), 'https://dev.azure.com')
})

test('the pages of a forge are where its API says that they are', () => {
  const origin = 'https://example.com'
  assert.equal(webUrlOf('gitlab', 'https://example.com/gitlab/api/v4', origin), 'https://example.com/gitlab')
  assert.equal(webUrlOf('gitlab', 'https://example.com/api/v4', origin), origin)
  assert.equal(webUrlOf('gitea', 'https://example.com/other', origin), origin)
  assert.equal(webUrlOf('github', 'https://api.github.com', 'https://github.com'), 'https://github.com')
  const cloud = 'https://bitbucket.org'
  assert.equal(webUrlOf('bitbucket', 'https://api.bitbucket.org/2.0', cloud), cloud)
  assert.equal(webUrlOf('azure', 'https://dev.azure.com', 'https://dev.azure.com'), 'https://dev.azure.com')
  assert.equal(webUrlOf('azure', 'https://example.com/tfs', origin), 'https://example.com/tfs')
  assert.equal(webUrlOf('gitlab', 'https://example.com.evil/x/api/v4', origin), origin)
})

test('the path of a repository follows the address of the forge', () => {
  const table: [string, string, string | undefined][] = [
    ['https://github.com/acme/docs.git', 'https://github.com', 'acme/docs'],
    ['https://github.com/acme/docs/', 'https://github.com', 'acme/docs'],
    ['https://example.com/gitlab/a/b/c.git', 'https://example.com/gitlab', 'a/b/c'],
    ['https://example.com/a/b.git', 'https://example.com/gitlab', undefined],
    ['https://dev.azure.com/a/b%20c/_git/d', 'https://dev.azure.com', 'a/b%20c/_git/d'],
    ['https://github.com/', 'https://github.com', undefined],
    ['https://github.com.evil/acme/docs', 'https://github.com', undefined],
  ]
  for (const [repository, webUrl, path] of table) assert.equal(pathOf(repository, webUrl), path, repository)
})

test('git sends a token with the user that the forge wants for its kind', () => {
  assert.equal(gitUserOf('github', null), 'x-access-token')
  assert.equal(gitUserOf('bitbucket', null), 'x-token-auth')
  assert.equal(gitUserOf('azure', null), 'docent')
  assert.equal(gitUserOf('bitbucket', 'ada@acme.example'), 'x-bitbucket-api-token-auth')
})

test('a repository over ssh on a known forge has an address over https', () => {
  const rows: readonly (readonly [given: string, address: string | undefined])[] = [
    ['git@github.com:acme/docs.git', 'https://github.com/acme/docs.git'],
    ['ssh://git@gitlab.com/acme/web/docs.git', 'https://gitlab.com/acme/web/docs.git'],
    ['git@git.example.com:docs.git', undefined],
    ['https://github.com/acme/docs.git', undefined],
    ['file:///srv/docs.git', undefined],
    ['git@ssh.dev.azure.com:v3/acme/Team%20docs/docs', 'https://dev.azure.com/acme/Team%20docs/_git/docs'],
    ['acme@vs-ssh.visualstudio.com:v3/acme/web/docs', 'https://dev.azure.com/acme/web/_git/docs'],
    ['git@acme.visualstudio.com:web/docs', undefined],
  ]
  for (const [given, address] of rows) assert.equal(httpsOf(given)?.address, address, given)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locate, newToken } from './azure.ts'

const cloud = 'https://dev.azure.com'
const own = 'https://acme.visualstudio.com'

const rows: readonly (readonly [webUrl: string, path: string, located: readonly string[] | undefined])[] = [
  [cloud, 'acme/web/_git/docs', ['/acme', 'web', 'docs']],
  [cloud, 'acme/Team%20docs/_git/The%20docs', ['/acme', 'Team docs', 'The docs']],
  [cloud, 'acme/_git/docs', ['/acme', 'docs', 'docs']],
  [own, 'web/_git/docs', ['', 'web', 'docs']],
  [own, '_git/docs', ['', 'docs', 'docs']],
  [own, 'DefaultCollection/web/_git/docs', ['/DefaultCollection', 'web', 'docs']],
  [own, 'DefaultCollection/_git/docs', ['/DefaultCollection', 'docs', 'docs']],
  [cloud, '_git/docs', undefined],
  [cloud, 'acme/web/_git', undefined],
  [cloud, 'acme/web/docs', undefined],
  [cloud, 'acme/web/_git/docs/pullrequest/1', undefined],
  [cloud, 'acme/a/b/_git/docs', undefined],
  [cloud, 'acme//_git/docs', undefined],
  [cloud, 'acme/%ZZ/_git/docs', undefined],
  [own, 'acme/web/_git/docs', undefined],
]

test('the addresses of both hosts name organization, project and repository', () => {
  for (const [webUrl, path, expected] of rows) {
    const found = locate({ webUrl, path })
    assert.deepEqual(found && [found.root, found.project, found.repository], expected, `${webUrl}/${path}`)
  }
})

test('a token is created on the page of the organization', () => {
  const scopes = 'Create a personal access token with the scopes "Code (Read & write)" at'
  const pages = [
    [cloud, 'acme/web/_git/docs', 'https://dev.azure.com/acme/_usersSettings/tokens,'],
    [own, 'DefaultCollection/web/_git/docs', 'https://acme.visualstudio.com/_usersSettings/tokens,'],
  ] as const
  for (const [webUrl, path, page] of pages) assert.ok(newToken({ webUrl, path }).startsWith(`${scopes} ${page}`), page)
})

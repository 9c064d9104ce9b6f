import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './address.ts'
import { repositoryOfPage } from './page-address.ts'

test('the address of a page in a browser leads to the address of its repository', () => {
  for (const [page, repository] of [
    ['https://github.com/o/r/tree/main', 'https://github.com/o/r.git'],
    ['https://dev.azure.com/o/p/_git/r?path=%2Fa.md', 'https://dev.azure.com/o/p/_git/r'],
    ['https://dev.azure.com/o/a%20b/_git/r/pullrequest/7', 'https://dev.azure.com/o/a%20b/_git/r'],
    ['https://o.visualstudio.com/_git/r/commits', 'https://o.visualstudio.com/_git/r'],
    ['https://github.com/o/r/blob/main/docs/a.md?plain=1#L3', 'https://github.com/o/r.git'],
    ['https://github.com/o/r/pulls', 'https://github.com/o/r.git'],
    ['https://acme.ghe.com/o/r/settings', 'https://acme.ghe.com/o/r.git'],
    ['https://github.com/o/r?tab=readme-ov-file', 'https://github.com/o/r'],
    ['https://github.com/o/r.git#readme', 'https://github.com/o/r.git'],
    ['https://gitlab.com/o/team/r/-/tree/main', 'https://gitlab.com/o/team/r.git'],
    ['https://gitlab.example/o/r/-/merge_requests/7', 'https://gitlab.example/o/r.git'],
    ['https://codeberg.org/o/r/src/branch/main', 'https://codeberg.org/o/r.git'],
    ['https://git.example/o/r/src/branch/main/a.md', 'https://git.example/o/r.git'],
    ['https://github.example/o/r/blob/main/a.md', 'https://github.example/o/r.git'],
  ] as const) {
    assert.equal(repositoryOfPage(new URL(page)), repository, page)
    const rules = { allowLocal: false, privateHosts: [] }
    assert.throws(() => parseAddress(page, rules), {
      code: 'invalid_input',
      message: new RegExp(` Use ${repository}\\.`),
    })
  }
})

test('an address that may be a repository is not refused as a page', () => {
  for (const address of [
    'https://github.com/o/r',
    'https://github.com/o/r.git',
    'https://gitlab.com/o/team/sub/r',
    'https://gitlab.com/o/-/r.git',
    'https://git.example/docs',
    'https://git.example/team/tree/docs.git',
    'https://git.example/team/src/docs',
    'https://git.example/scm/team/issues',
  ]) {
    assert.equal(repositoryOfPage(new URL(address)), undefined, address)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgeKinds } from '../host.ts'
import { permanentLink } from './permanent-link.ts'

const at = { repository: 'https://git.example/acme/api.git', commit: 'c0ffee', path: 'src/a (1).ts' }

test('each forge has its own form of a link to lines', () => {
  const links = forgeKinds.map((kind) => permanentLink(kind, { ...at, lines: { from: 12, to: 30 } }))
  const file = 'src/a%20%281%29.ts'
  assert.deepEqual(links, [
    `https://git.example/acme/api/blob/c0ffee/${file}#L12-L30`,
    `https://git.example/acme/api/-/blob/c0ffee/${file}#L12-30`,
    `https://git.example/acme/api/src/commit/c0ffee/${file}#L12-L30`,
    `https://git.example/acme/api/src/c0ffee/${file}#lines-12:30`,
    `https://git.example/acme/api?path=/${file}&version=GCc0ffee&line=12&lineEnd=31&lineStartColumn=1&lineEndColumn=1`,
  ])
})

test('one line and a whole file have shorter links, other transports have none', () => {
  assert.match(permanentLink('github', { ...at, lines: { from: 3, to: 3 } }) ?? '', /#L3$/)
  assert.match(permanentLink('gitlab', { ...at, lines: undefined }) ?? '', /\.ts$/)
  assert.equal(permanentLink('github', { ...at, repository: 'git@git.example:acme/api', lines: undefined }), undefined)
})

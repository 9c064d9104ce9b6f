// The loopback Azure DevOps keeps to what the real one does, as far as its description and other programs that use it tell.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentsOf } from '../support/forge/azure/threads.ts'
import { startForge, type TestForge } from '../support/forge/forge.ts'

type Given = { readonly authorization: string; readonly body?: unknown }
type Got<T> = { readonly status: number; readonly body: T }

const basic = (token: string, user = '') => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
const repository = '/acme/Team%20docs/_apis/git/repositories/docs'
const ref = (branch: string) => `refs/heads/${branch}`

async function call<T>(forge: TestForge, route: string, { authorization, body }: Given): Promise<Got<T>> {
  const [method = '', path = ''] = route.split(' ')
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const url = `${forge.api}${repository}${path}${path.includes('?') ? '&' : '?'}api-version=7.1`
  const response = await fetch(url, { method, headers: { Authorization: authorization }, ...sent })
  const text = await response.text()
  return { status: response.status, body: (text.startsWith('<') ? text : JSON.parse(text)) as T }
}

test('a token is the password of any user, and a wrong one gets a page with status 203', async (t) => {
  const forge = await startForge(t, { kind: 'azure' })
  const token = forge.createToken().value
  const ask = async (authorization: string) => (await call<string>(forge, 'GET ', { authorization })).status
  assert.deepEqual(
    await Promise.all([basic(token), basic(token, 'ada'), `Bearer ${token}`, ''].map(ask)),
    [200, 200, 203, 203],
  )
  assert.match((await call<string>(forge, 'GET ', { authorization: basic('x') })).body, /^<!DOCTYPE html>/)
  assert.equal(forge.repository, `${forge.web}/acme/Team%20docs/_git/docs`)
  const url = `${forge.repository}/info/refs?service=git-upload-pack`
  const git = async (authorization: string) => (await fetch(url, { headers: { Authorization: authorization } })).status
  assert.deepEqual(await Promise.all([basic(token), basic(token, 'docent'), basic('x')].map(git)), [200, 200, 401])
})

test('texts have limits, lists cut them, and only authors edit comments', async (t) => {
  const forge = await startForge(t, { kind: 'azure' })
  const authorization = basic(forge.createToken().value)
  forge.push('docent/a', { 'a.md': 'more' })
  const pull = { title: 'Say more', sourceRefName: ref('docent/a'), targetRefName: ref('main') }
  const create = (description: string) =>
    call<{ readonly message: string }>(forge, 'POST /pullrequests', { authorization, body: { ...pull, description } })
  assert.equal((await create('x'.repeat(4_001))).status, 400)
  assert.equal((await create('x'.repeat(4_000))).status, 201)
  const again = await create('x')
  assert.deepEqual([again.status, again.body.message.slice(0, 8)], [409, 'TF401179'])
  type Listed = { readonly value: readonly { readonly description: string }[] }
  const listed = await call<Listed>(forge, 'GET /pullrequests?searchCriteria.status=all', { authorization })
  assert.equal(listed.body.value[0]?.description.length, 400)
  const threads = '/pullRequests/1/threads'
  const body = { comments: [{ parentCommentId: 0, commentType: 'text', content: 'x' }], status: 'closed' }
  const made = await call<{ readonly id: number }>(forge, `POST ${threads}`, { authorization, body })
  const other = basic(forge.createToken({ login: 'grace' }).value)
  const edit = (by: string) =>
    call(forge, `PATCH ${threads}/${made.body.id}/comments/1`, { authorization: by, body: { content: 'y' } })
  assert.deepEqual([(await edit(other)).status, (await edit(authorization)).status], [403, 200])
  assert.equal(commentsOf(forge.pull(1))[0]?.content, 'y')
  await call(forge, 'PATCH /pullrequests/1', { authorization, body: { descripton: 'x' } })
  assert.match(forge.takeProblems().join('\n'), /must NOT have additional properties/)
  await call(forge, 'PATCH /pullrequests/1', { authorization, body: { status: 'abandoned' } })
  assert.equal((await call(forge, 'PATCH /pullrequests/1', { authorization, body: { title: 'x' } })).status, 409)
})

// The loopback Bitbucket keeps to what the real one does, as far as its description and other programs that use it tell.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForge, type TestForge } from '../support/forge/forge.ts'

type Given = { readonly token?: string; readonly authorization?: string; readonly body?: unknown }

type Got<T> = { readonly status: number; readonly body: T }

async function call<T>(forge: TestForge, route: string, { token, authorization, body }: Given): Promise<Got<T>> {
  const [method = '', path = ''] = route.split(' ')
  const headers = { Authorization: authorization ?? `Bearer ${token}` }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${forge.api}${path}`, { method, headers, ...sent })
  return { status: response.status, body: (await response.json()) as T }
}

test('Bitbucket changes an open pull request twice, and drops what an edit leaves out', async (t) => {
  const forge = await startForge(t, { kind: 'bitbucket' })
  const token = forge.createToken().value
  forge.push('docent/a', { 'a.md': 'more' })
  const path = '/repositories/acme/docs/pullrequests'
  const end = (name: string) => ({ branch: { name } })
  const body = { type: 'pullrequest', title: 'Say more', source: end('docent/a'), destination: end('main') }
  type Made = { readonly id: number; readonly title: string; readonly source: { commit: { hash: string } } }
  const made = await call<Made>(forge, `POST ${path}`, { token, body })
  assert.deepEqual([made.status, made.body.source.commit.hash.length], [201, 12])
  const again = await call<Made>(forge, `POST ${path}`, { token, body: { ...body, title: 'Say less' } })
  assert.deepEqual([again.status, again.body.id, forge.pull(1).title], [201, 1, 'Say less'])
  forge.pull(1).reviewers.push('grace')
  await call(forge, `PUT ${path}/1`, { token, body: { type: 'pullrequest', title: 'Say more', reviewers: [] } })
  assert.deepEqual(forge.pull(1).reviewers, [])
  assert.equal((await call(forge, `POST ${path}/1/decline`, { token })).status, 200)
  assert.equal((await call(forge, `PUT ${path}/1`, { token, body: { type: 'pullrequest', title: 'x' } })).status, 400)
  await call(forge, `POST ${path}`, { token, body: { ...body, descripton: 'x' } })
  assert.match(forge.takeProblems().join('\n'), /must NOT have additional properties/)
})

test('Bitbucket takes each kind of token only as it is meant', async (t) => {
  const forge = await startForge(t, { kind: 'bitbucket' })
  const email = 'ada@acme.example'
  const access = forge.createToken().value
  const api = forge.createToken({ email }).value
  const statusOf = async (authorization: string) =>
    (await call(forge, 'GET /repositories/acme/docs', { authorization })).status
  const basic = (user: string, token: string) => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
  const shown = [`Bearer ${access}`, basic(email, access), `Bearer ${api}`, basic(email, api), basic('ada', api)]
  assert.deepEqual(await Promise.all(shown.map(statusOf)), [200, 401, 401, 200, 401])
  const gitStatus = async (user: string, token: string) => {
    const url = `${forge.repository}/info/refs?service=git-upload-pack`
    return (await fetch(url, { headers: { Authorization: basic(user, token) } })).status
  }
  const users = ['x-token-auth', 'x-bitbucket-api-token-auth', email]
  assert.deepEqual(await Promise.all(users.map((user) => gitStatus(user, access))), [200, 401, 401])
  assert.deepEqual(await Promise.all(users.map((user) => gitStatus(user, api))), [401, 200, 401])
})

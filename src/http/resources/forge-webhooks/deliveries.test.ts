import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { addJob, addProject } from '../../../../test/support/database.ts'
import { expectProblem, openTestApp } from '../../../../test/support/openapi-app.ts'
import { createId } from '../../../lib/id.ts'
import { storeForgeApp } from '../../../projects/forge-apps/forge-apps.ts'
import { deliveryLimit } from '../../../projects/forge-webhooks/deliveries.ts'
import type { ShownForgeWebhook } from './contract.ts'

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKey = key.export({ type: 'pkcs1', format: 'pem' }).toString()

test('a delivery to the webhook of an App needs the signature of its bytes', async () => {
  const t = await openTestApp()
  const { call } = await t.start({})
  const store = (letter: string, webhookSecret: string | null) =>
    storeForgeApp(t.deps.forgeApps, {
      id: `app_${letter.repeat(20)}`,
      webUrl: `https://${letter}.example`,
      details: { appId: 1, slug: 'docent', name: 'Docent', owner: null, permissions: {} },
      secrets: { privateKey, webhookSecret, clientId: null, clientSecret: null },
    })
  const [ours, other] = [await store('a', 'the secret'), await store('b', null)]
  const send = async (appId: string, body: string, signature?: string, type = 'application/json') => {
    const headers = { 'Content-Type': type, ...(signature && { 'X-Hub-Signature-256': signature }) }
    return (await call(`/v1/hooks/github/${appId}`, { key: null, method: 'POST', headers, body })).status
  }
  const sign = (body: string, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const body = '{ "zen": "Keep it logically awesome. \u2713" }'
  const signature = sign(body, 'the secret')
  assert.equal(await send(ours.id, body, signature), 202)
  assert.equal(
    await send(ours.id, `payload=${body}`, sign(`payload=${body}`, 'the secret'), 'application/x-www-form-urlencoded'),
    202,
  )
  assert.equal(await send(ours.id, body, signature.toUpperCase().replace('SHA', 'sha')), 202)
  for (const wrong of [
    undefined,
    '',
    'sha256=',
    signature.slice(0, -2),
    sign(body, 'another'),
    sign(`${body} `, 'the secret'),
  ])
    assert.equal(await send(ours.id, body, wrong), 401, wrong)
  assert.equal(await send(other.id, body, sign(body, '')), 401)
  assert.equal(await send(`app_${'c'.repeat(20)}`, body, signature), 404)
})

test('a delivery makes the next look at the pull requests of its repository due', async () => {
  const t = await openTestApp()
  const { call } = await t.start({})
  const { db } = t.deps.forgeApps
  const webUrl = 'https://ghe.example'
  const appId = `app_${'d'.repeat(20)}`
  await storeForgeApp(t.deps.forgeApps, {
    id: appId,
    webUrl,
    details: { appId: 1, slug: 'docent', name: 'Docent', owner: null, permissions: {} },
    secrets: { privateKey, webhookSecret: 'the secret', clientId: null, clientSecret: null },
  })
  const open = async (repository: string, checkAfter: Date | null = new Date(Date.now() + 3_600_000)) => {
    const projectId = await addProject(db)
    await db.updateTable('projects').set({ repository }).where('id', '=', projectId).execute()
    const jobId = await addJob(db, projectId)
    await db.updateTable('jobs').set({ pull_check_after: checkAfter }).where('id', '=', jobId).execute()
    return async () => {
      const row = await db.selectFrom('jobs').select('pull_hastened').where('id', '=', jobId).executeTakeFirst()
      return row?.pull_hastened
    }
  }
  const [here, elsewhere] = [await open(`${webUrl}/Acme/docs.git`), await open(`${webUrl}/acme/other.git`)]
  const [foreign, ended] = [await open('https://github.com/acme/docs'), await open(`${webUrl}/acme/docs`, null)]
  const send = async (body: string, type: string) => {
    const signature = `sha256=${createHmac('sha256', 'the secret').update(body).digest('hex')}`
    const headers = { 'Content-Type': type, 'X-Hub-Signature-256': signature }
    return (await call(`/v1/hooks/github/${appId}`, { key: null, method: 'POST', headers, body })).status
  }
  for (const body of ['', '[]', '{', '{"repository":{"full_name":7}}', '{"repository":{"full_name":"acme/none"}}'])
    assert.equal(await send(body, 'application/json'), 202, body)
  assert.equal(await here(), false)
  const event = JSON.stringify({ action: 'created', repository: { full_name: 'acme/Docs' } })
  // It may come twice, and in either form.
  assert.equal(await send(event, 'application/json'), 202)
  assert.equal(await send(`payload=${encodeURIComponent(event)}`, 'application/x-www-form-urlencoded'), 202)
  assert.deepEqual([await here(), await elsewhere(), await foreign(), await ended()], [true, false, false, false])
})

async function openWebhook(forge: ShownForgeWebhook['forge']) {
  const t = await openTestApp()
  const { db } = t
  const projectId = t.project.id
  const path = `/v1/projects/${projectId}/forge-webhooks`
  const made = (await (await t.call(path, { key: t.keys.admin, json: { forge } })).json()) as ShownForgeWebhook
  const addSource = async (name: string, repository: string) => {
    const id = createId('src')
    const times = { created_at: new Date(), updated_at: new Date() }
    await db
      .insertInto('sources')
      .values({ id, project_id: projectId, name, repository, paths: '[]', ...times })
      .execute()
    return id
  }
  const later = new Date(Date.now() + 3_600_000)
  const follow = async (repositoryId: string, sourceId: string | null) => {
    const row = { repository_id: repositoryId, project_id: projectId, source_id: sourceId, look_after: later }
    await db.insertInto('followed_repositories').values(row).execute()
  }
  const isDue = async (repositoryId: string) => {
    const query = db.selectFrom('followed_repositories').select('look_after')
    const row = await query.where('repository_id', '=', repositoryId).executeTakeFirstOrThrow()
    return row.look_after < later
  }
  return {
    t,
    db,
    made,
    projectId,
    addSource,
    follow,
    isDue,
    send: (body: string, headers: Readonly<Record<string, string>> = { 'X-Gitlab-Token': made.secret ?? '' }) =>
      t.call(new URL(made.url).pathname, { key: null, method: 'POST', body, headers }),
    shown: async () => (await (await t.call(`${path}/${made.id}`, { key: t.keys.admin })).json()) as ShownForgeWebhook,
  }
}

test('a push makes the branches of its repository due, another event the pull requests', async () => {
  const { db, made, projectId, addSource, follow, isDue, send } = await openWebhook('gitlab')
  await db
    .updateTable('projects')
    .set({ repository: 'https://gitlab.example/Acme/docs' })
    .where('id', '=', projectId)
    .execute()
  const api = await addSource('api', 'git@gitlab.example:acme/api.git')
  const other = await addSource('other', 'https://gitlab.example/acme/other-api')
  await follow(projectId, null)
  for (const id of [api, other]) await follow(id, id)
  const jobId = await addJob(db, projectId)
  await db
    .updateTable('jobs')
    .set({ pull_check_after: new Date(Date.now() + 3_600_000) })
    .where('id', '=', jobId)
    .execute()
  const isHastened = async () =>
    (await db.selectFrom('jobs').select('pull_hastened').where('id', '=', jobId).executeTakeFirstOrThrow())
      .pull_hastened
  const all = async () => [await isDue(projectId), await isDue(api), await isDue(other), await isHastened()]

  // Any type, and anything that says nothing.
  for (const [body, type] of [
    ['', 'application/json'],
    ['\u0000', 'application/octet-stream'],
    [JSON.stringify({ project: { path_with_namespace: 'acme/elsewhere' } }), 'text/plain'],
  ] as const) {
    const headers = { 'Content-Type': type, 'X-Gitlab-Token': made.secret ?? '' }
    assert.equal((await send(body, headers)).status, 202, type)
  }
  assert.deepEqual(await all(), [false, false, false, false])
  const push = (path: string) =>
    send(JSON.stringify({ object_kind: 'push', ref: 'refs/heads/main', project: { path_with_namespace: path } }))
  assert.equal((await push('acme/api')).status, 202)
  assert.deepEqual(await all(), [false, true, false, false])
  const note = JSON.stringify({ object_kind: 'note', project: { path_with_namespace: 'acme/docs' } })
  assert.equal((await send(note)).status, 202)
  assert.deepEqual(await all(), [false, true, false, true])
  assert.equal((await push('acme/docs')).status, 202)
  assert.deepEqual(await all(), [true, true, false, true])
})

test('a forged delivery is counted and does nothing', async () => {
  const { t, projectId, made, follow, isDue, send, shown } = await openWebhook('gitlab')
  await follow(projectId, null)
  const { repository } = t.project
  const path = new URL(repository).pathname.slice(1).replace(/\.git$/, '')
  const body = JSON.stringify({ ref: 'refs/heads/main', project: { path_with_namespace: path } })
  await expectProblem(await send(body, { 'X-Gitlab-Token': `${made.secret}x` }), 401, 'unauthenticated')
  await expectProblem(await send(body, {}), 401, 'unauthenticated')
  // Nothing of it is parsed.
  await expectProblem(await send('{', {}), 401, 'unauthenticated')
  const { refused, refusedAt, deliveredAt } = await shown()
  assert.deepEqual([refused, refusedAt !== null, deliveredAt], [3, true, null])
  assert.equal(await isDue(projectId), false)
  assert.equal((await send(body)).status, 202)
  assert.equal(await isDue(projectId), true)
  assert.notEqual((await shown()).deliveredAt, null)
})

test('a secret counts at its own address alone', async () => {
  const { t, made, send } = await openWebhook('gitea')
  const sign = (secret: string) => createHmac('sha256', secret).update('{}').digest('hex')
  assert.equal((await send('{}', { 'X-Gitea-Signature': sign(made.secret ?? '') })).status, 202)
  const at = async (path: string) => {
    const headers = { 'X-Gitea-Signature': sign(made.secret ?? '') }
    return await t.call(path, { key: null, method: 'POST', body: '{}', headers })
  }
  for (const path of [
    `/v1/hooks/gitlab/${made.id}`,
    `/v1/hooks/gitea/fwh_${'0'.repeat(20)}`,
    `/v1/hooks/gitea/app_${'0'.repeat(20)}`,
  ])
    await expectProblem(await at(path), 404, 'not_found')
})

test('an address takes so many deliveries a minute, and the others their own', async () => {
  const { t, made, send } = await openWebhook('gitlab')
  const row = { key: `deliveries:${made.id}`, points: deliveryLimit.quota - 1, expire: Date.now() + 30_000 }
  await t.db.insertInto('rate_limits').values(row).execute()
  assert.equal((await send('{}')).status, 202)
  const refused = await send('{}')
  assert.match(refused.headers.get('Retry-After') ?? '', /^\d+$/)
  await expectProblem(refused, 429, 'too_many_deliveries')
})

import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { addJob, addProject } from '../../../../test/support/database.ts'
import { openTestApp } from '../../../../test/support/openapi-app.ts'
import { storeForgeApp } from '../../../projects/forge-apps/forge-apps.ts'

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

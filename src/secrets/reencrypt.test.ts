import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { addProject } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import type { Db, Postgres } from '../postgres/types.ts'
import { readKeyFile, replaceKeyFile } from './key-file.ts'
import { generateKey, parseKeys } from './keys.ts'
import { openSecrets } from './open.ts'
import { reencrypt } from './reencrypt.ts'
import { createSecrets, keyIdOf, type Secrets } from './secrets.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** A new installation: no secrets, and an empty folder. */
async function arrange(t: TestContext) {
  const { db } = postgres
  const folder = await temporaryFolder('rotate')
  t.after(async () => {
    for (const table of ['secret_check', 'projects', 'forge_apps', 'model_keys'] as const) {
      await db.deleteFrom(table).execute()
    }
    await removeFolder(folder)
  })
  const keyFile = join(folder, 'secret.key')
  const open = (setting?: string) =>
    openSecrets({
      db,
      keyFile,
      log: { warn: () => undefined },
      setting: setting === undefined ? undefined : parseKeys(setting),
    })
  return { db, keyFile, open }
}

const now = new Date()
const times = { created_at: now, updated_at: now }

/** One value in every column: three tokens, one of a source; an installation without a secret, an automation, a forge app, a model key. */
async function fill(db: Db, secrets: Secrets) {
  const projects = [await addProject(db), await addProject(db), await addProject(db)]
  const [first = '', second = '', installed = ''] = projects
  const token = (owner: string) => secrets.encrypt(owner, 'credential', `token of ${owner}`)
  const source = 'src_0123456789abcdefghij'
  const row = { id: source, project_id: first, name: 'api', repository: 'https://example.com/api.git' }
  await db
    .insertInto('sources')
    .values({ ...row, ...times })
    .execute()
  await db
    .insertInto('credentials')
    .values([
      { source_id: source, kind: 'token', secret: token(source), ...times },
      { project_id: first, kind: 'token', secret: token(first), ...times },
      { project_id: second, kind: 'token', secret: token(second), ...times },
      { project_id: installed, kind: 'github_app', installation_id: 1, ...times },
    ])
    .execute()
  const app = { id: 'fap_1', web_url: 'https://github.com', api_url: 'https://api.github.com', slug: 'd', name: 'D' }
  const secret = secrets.encrypt('service', 'forge app', 'pem')
  await db
    .insertInto('forge_apps')
    .values({ ...app, app_id: 1, secret, ...times })
    .execute()
  const automation = { id: 'aut_1', project_id: first, name: 'A', trigger: '{"type":"event"}', instructions: '"x"' }
  const signing = secrets.encrypt('aut_1', 'event secret', 'whsec_1')
  await db
    .insertInto('automations')
    .values({
      ...automation,
      scope: '[]',
      budgets: '{}',
      caps: '{}',
      update_mode: 'draft',
      enabled: true,
      event_secret: signing,
      ...times,
    })
    .execute()
  const webhook = { id: 'whk_1', project_id: first, url: 'https://example.com/', format: 'standard' as const }
  await db
    .insertInto('webhooks')
    .values({
      ...webhook,
      events: [],
      secret: secrets.encrypt('whk_1', 'webhook secret', 'whsec_2'),
      enabled: true,
      ...times,
    })
    .execute()
  const taken = { id: 'fwh_1', project_id: first, forge: 'gitlab' as const }
  await db
    .insertInto('forge_webhooks')
    .values({ ...taken, secret: secrets.encrypt('fwh_1', 'forge webhook', 'whsec_3'), ...times })
    .execute()
  const key = secrets.encrypt('service/openai', 'model key', 'sk-1')
  await db
    .insertInto('model_keys')
    .values({ provider: 'openai', secret: key, hint: 'sk-1', ...times })
    .execute()
  return { first, second, source }
}

async function readAll(db: Db, secrets: Secrets) {
  const credentials = await db.selectFrom('credentials').selectAll().where('secret', 'is not', null).execute()
  const app = await db.selectFrom('forge_apps').select('secret').executeTakeFirstOrThrow()
  const key = await db.selectFrom('model_keys').select('secret').executeTakeFirstOrThrow()
  const automations = db.selectFrom('automations').select('event_secret as secret')
  const automation = await automations.executeTakeFirstOrThrow()
  const webhook = await db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
  const taken = await db.selectFrom('forge_webhooks').select('secret').executeTakeFirstOrThrow()
  const texts = [
    ...credentials.map((row) => secrets.decrypt(row.owner, 'credential', row.secret ?? '')).toSorted(),
    secrets.decrypt('aut_1', 'event secret', automation.secret ?? ''),
    secrets.decrypt('whk_1', 'webhook secret', webhook.secret),
    secrets.decrypt('fwh_1', 'forge webhook', taken.secret),
    secrets.decrypt('service', 'forge app', app.secret),
    secrets.decrypt('service/openai', 'model key', key.secret),
  ]
  const keyIds = [...credentials, automation, webhook, taken, app, key].map(({ secret }) => keyIdOf(secret ?? ''))
  return { texts, keyIds: [...new Set(keyIds)] }
}

test('rotating with the setting encrypts every column with the first key', async (t) => {
  const { db, open } = await arrange(t)
  const [old, next] = [generateKey(), generateKey()]
  const { first, second, source } = await fill(db, await open(old))
  const both = await open(`${next},${old}`)
  const { id } = parseKeys(next)[0]
  assert.deepEqual(await both.rotate(), { keyId: id, done: 8, remaining: 0, unreadable: [] })
  assert.deepEqual(await both.rotate(), { keyId: id, done: 0, remaining: 0, unreadable: [] })
  const { texts, keyIds } = await readAll(db, await open(next))
  assert.deepEqual(keyIds, [id])
  const tokens = [first, second, source].map((owner) => `token of ${owner}`).toSorted()
  assert.deepEqual(texts, [...tokens, 'whsec_1', 'whsec_2', 'whsec_3', 'pem', 'sk-1'])
  await assert.rejects(open(old), { code: 'config_invalid' })
})

test('rotating with the key file replaces the key in it', async (t) => {
  const { db, open, keyFile } = await arrange(t)
  const running = await open()
  await fill(db, running)
  const [old] = (await readKeyFile(keyFile))?.lines ?? []
  const unused = running.encrypt('prj_1', 'credential', 'read before the rotation')
  assert.deepEqual([(await running.rotate()).done, (await readAll(db, running)).keyIds.length], [8, 1])
  assert.equal(running.decrypt('prj_1', 'credential', unused), 'read before the rotation')
  const { lines = [], ring } = (await readKeyFile(keyFile)) ?? {}
  assert.equal(lines.length, 1)
  assert.notEqual(lines[0], old)
  assert.deepEqual((await readAll(db, await open())).keyIds, [ring?.[0].id])
})

test('a rotation that was cut off continues where it stopped', async (t) => {
  const { db, open, keyFile } = await arrange(t)
  const running = await open()
  await fill(db, running)
  const [old = ''] = (await readKeyFile(keyFile))?.lines ?? []
  const next = generateKey()
  await replaceKeyFile(keyFile, [next, old])
  const ring = parseKeys(`${next},${old}`)
  const steps = []
  for (let step = 0; step < 2; step += 1) {
    const { done, remaining } = await reencrypt(db, ring, 'file', 1)
    steps.push([done, remaining])
    // A process that dies here leaves both keys in the file.
    assert.equal((await readAll(db, await open())).texts.length, 8)
  }
  assert.deepEqual(steps, [
    [1, 7],
    [1, 6],
  ])
  const { done, remaining, keyId } = await (await open()).rotate()
  assert.deepEqual([done, remaining, keyId], [6, 0, ring[0].id])
  assert.deepEqual((await readKeyFile(keyFile))?.lines, [next])
})

test('a value that changes during a rotation keeps its new content', async (t) => {
  const { db, open } = await arrange(t)
  const [old, next] = [generateKey(), generateKey()]
  const before = await open(old)
  const { first } = await fill(db, before)
  const both = await open(`${next},${old}`)
  const enter = async (text: string) => {
    const secret = before.encrypt(first, 'credential', text)
    await db.updateTable('credentials').set({ secret }).where('project_id', '=', first).execute()
  }
  await Promise.all([both.rotate(), enter('entered meanwhile')])
  await both.rotate()
  const { texts, keyIds } = await readAll(db, both)
  assert.ok(texts.includes('entered meanwhile'))
  assert.deepEqual(keyIds, [parseKeys(next)[0].id])
})

test('values that no key decrypts are listed and left', async (t) => {
  const { db, open } = await arrange(t)
  const key = generateKey()
  const store = await open(key)
  const { first, second } = await fill(db, store)
  const lost = parseKeys(generateKey())
  const secret = createSecrets(() => lost).encrypt(first, 'credential', 'x')
  await db.updateTable('credentials').set({ secret }).where('project_id', '=', first).execute()
  const moved = db.selectFrom('model_keys').select('secret')
  await db.updateTable('credentials').set({ secret: moved }).where('project_id', '=', second).execute()
  const { unreadable } = await store.rotate()
  assert.deepEqual(unreadable, [{ what: 'credential', owner: first, keyId: lost[0].id }])
  const other = await open(`${generateKey()},${key}`)
  const listed = (await other.rotate()).unreadable.map(({ owner }) => owner)
  assert.deepEqual(listed.toSorted(), [first, second].toSorted())
  const row = await db.selectFrom('credentials').select('secret').where('project_id', '=', first).executeTakeFirst()
  assert.equal(row?.secret, secret)
})

test('a server without the new key does not undo the check value of the others', async (t) => {
  const { db, open } = await arrange(t)
  const [old, next] = [generateKey(), generateKey()]
  const behind = await open(old)
  await fill(db, behind)
  await (await open(`${next},${old}`)).rotate()
  assert.equal((await behind.rotate()).unreadable.length, 8)
  await open(next)
})

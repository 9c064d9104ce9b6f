// The key of secrets changes while servers run on one database and secrets are stored: the steps of the operations page.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import type { ModelKey } from '../../src/models/keys.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { keyIdOf } from '../../src/secrets/secrets.ts'
import { serve, type Service } from '../../src/service/service.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { runCommand } from '../support/command.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let url: string
before(async () => {
  folder = await temporaryFolder('rotate')
  url = await (await sharedServer()).createDatabase()
})
after(() => removeFolder(folder))

async function environmentOf(server: 'a' | 'b', key: string) {
  return {
    ...serverSettings(url),
    DOCENT_SECRET_KEY: key,
    DOCENT_DATA_DIR: join(folder, server),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'silent',
    CLICKHOUSE_URL: await frontDatabase(),
  }
}

/** Two servers; `restart` gives them other keys one after the other, so that one always runs. */
async function startServers(key: string) {
  const running = new Map<'a' | 'b', Service>()
  const start = async (server: 'a' | 'b', key: string) => {
    running.set(server, await serve(parseConfig(await environmentOf(server, key)), { role: 'server' }))
  }
  const stop = async (server: 'a' | 'b') => {
    await running.get(server)?.stop()
    running.delete(server)
  }
  await start('a', key)
  await start('b', key)
  return {
    restart: async (key: string) => {
      for (const server of ['a', 'b'] as const) {
        await stop(server)
        await start(server, key)
      }
    },
    stop: async () => {
      await stop('a')
      await stop('b')
    },
  }
}

async function api(server: 'a' | 'b') {
  return openSocketApi(parseConfig(await environmentOf(server, generateKey())))
}

async function store(server: 'a' | 'b', provider: string, apiKey: string): Promise<void> {
  await (await api(server)).send('PUT', `/v1/model-keys/${provider}`, { apiKey })
}

async function problems(server: 'a' | 'b'): Promise<readonly (string | null)[]> {
  const { body } = await (await api(server)).send('GET', '/v1/model-keys')
  return (JSON.parse(body) as { modelKeys: readonly ModelKey[] }).modelKeys.map(({ problem }) => problem)
}

async function keyIds(): Promise<readonly (string | undefined)[]> {
  const postgres = await openPostgres({ kind: 'server', url, connections: 2, log: createLog('silent') })
  try {
    const rows = await postgres.db.selectFrom('model_keys').select('secret').execute()
    return [...new Set(rows.map(({ secret }) => keyIdOf(secret)))]
  } finally {
    await postgres.close()
  }
}

test('servers keep running while their key is rotated, and no secret is lost', async () => {
  const [old, next] = [generateKey(), generateKey()]
  const servers = await startServers(old)
  try {
    for (const provider of ['anthropic', 'openai', 'google'])
      await store('a', provider, `key of ${provider}`.replaceAll(' ', '-'))
    await servers.restart(`${old},${next}`)
    await servers.restart(`${next},${old}`)
    const rotate = runCommand(['secrets', 'rotate', '--json'], await environmentOf('a', `${next},${old}`))
    const [{ code, stdout, stderr }] = await Promise.all([rotate, store('b', 'openai', 'entered-meanwhile')])
    assert.equal(code, 0, stderr)
    assert.equal((JSON.parse(stdout) as { keyId: string }).keyId, parseKeys(next)[0].id)
    assert.deepEqual(await problems('b'), [null, null, null])
    assert.deepEqual(await keyIds(), [parseKeys(next)[0].id])
    await servers.restart(next)
    assert.deepEqual(
      [await problems('a'), await problems('b')],
      [
        [null, null, null],
        [null, null, null],
      ],
    )
  } finally {
    await servers.stop()
  }
  await assert.rejects(serve(parseConfig(await environmentOf('a', old)), { role: 'server' }), {
    code: 'config_invalid',
    message: /is not the key that encrypted the secrets of this database/,
  })
})

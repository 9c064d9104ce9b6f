import assert from 'node:assert/strict'
import { test } from 'node:test'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { createDataDir } from '../../test/support/service.ts'
import { parseConfig } from '../config/config.ts'
import { Failure } from '../lib/failure.ts'
import { operator } from '../projects/keys.ts'
import { buildApp } from './app.ts'
import { openEngines } from './engines.ts'

test('while memory is short, page views and exports get 503, and other requests do not', async (t) => {
  const folder = await temporaryFolder('short')
  t.after(() => removeFolder(folder))
  const config = parseConfig({ DOCENT_DATA_DIR: await createDataDir(folder), DOCENT_LOG_LEVEL: 'silent' })
  assert.equal(config.dataDir, join(folder, 'data'))
  const engines = await openEngines(config)
  t.after(() => engines.close())
  const refuse = () => {
    throw new Failure('unavailable', 'Memory is short.', { retryAfter: 5 })
  }
  const memory = { ...engines.memory, watch: { ...engines.memory.watch, refuse } }
  const app = buildApp({ ...engines, memory }, 'http://x')
  const send = async (path: string, body?: object) => {
    const init = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    const request = new Request(`http://x${path}`, body === undefined ? {} : { method: 'POST', ...init })
    return await app.fetch(request, { principal: operator })
  }
  const created = await send('/v1/projects', { name: 'Docs', repository: 'https://example.com/r.git' })
  const { id } = (await created.json()) as { readonly id: string }
  assert.equal((await send(`/v1/projects/${id}`)).status, 200)
  for (const [path, body] of [
    [`/v1/analytics/${id}/visitors`, undefined],
    [`/v1/analytics/${id}/page-views`, [{ url: 'https://docs.example.com/', userAgent: 'x' }]],
  ] as const) {
    const response = await send(path, body)
    assert.deepEqual([response.status, response.headers.get('Retry-After')], [503, '5'], path)
  }
})

import { test } from 'node:test'
import { Failure } from '../../../lib/failure.ts'
import { expectProblem, openTestApp } from '../../../../test/support/openapi-app.ts'

test('a batch for which there is no room is refused before it is parsed', async () => {
  const app = await openTestApp()
  const checkRoom = () => {
    throw new Failure('unavailable', 'Too many page views are waiting.', { retryAfter: 2 })
  }
  const path = `/v1/analytics/${app.project.id}/page-views`
  const noJson = { method: 'POST', body: 'no JSON', headers: { 'Content-Type': 'application/json' } }
  const { call } = await app.start({ ingest: { ...app.deps.ingest, checkRoom } })
  await expectProblem(await app.call(path, noJson), 400, 'invalid_input')
  await expectProblem(await call(path, noJson), 503, 'unavailable')
})

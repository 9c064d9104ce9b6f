import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import type { Model, ModelRequest, ModelResponse } from '../../../agent/model/types.ts'
import { beginAfterRequest } from './begin-after-request.ts'

const request = {} as ModelRequest
const { signal } = new AbortController()

function arrange() {
  const clock = createManualClock()
  const responding = Promise.withResolvers<ModelResponse>()
  const seen = { begun: 0, asked: 0 }
  const respond = () => {
    seen.asked += 1
    return responding.promise
  }
  const model: Model = { id: 'm/m', contextTokens: Infinity, isPriced: () => true, respond }
  return { clock, responding, seen, model: beginAfterRequest(model, () => (seen.begun += 1), clock) }
}

test('the check begins a second after the request, not before', async () => {
  const { clock, responding, seen, model } = arrange()
  const response = model.respond(request, signal)
  await clock.pass(999)
  assert.deepEqual(seen, { asked: 1, begun: 0 })
  await clock.pass(1)
  assert.equal(seen.begun, 1)
  responding.resolve({} as ModelResponse)
  await response
  assert.equal(seen.begun, 1)
})

test('a response that comes sooner begins the check', async () => {
  const { responding, seen, model } = arrange()
  const response = model.respond(request, signal)
  responding.resolve({} as ModelResponse)
  await response
  assert.equal(seen.begun, 1)
})

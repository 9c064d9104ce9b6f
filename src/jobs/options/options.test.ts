// The choices of a job and its messages: which model is allowed, and when a base and a draft count.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobRow } from '../../postgres/schema.ts'
import { applyChoice } from './branch.ts'
import { limitColumns, narrowProject } from './limits.ts'
import { modelOf, refuseModel } from './model.ts'

const project = { model: 'a/usual', models: ['b/other'] }

test('the default and the listed models of a project are allowed, and no others', () => {
  refuseModel('a/usual', project, 's/service')
  refuseModel('b/other', project, 's/service')
  refuseModel('s/service', { model: null, models: [] }, 's/service')
  const refusal = {
    code: 'invalid_input',
    message: /`model` must be a model that the project allows: a\/usual, b\/other/,
  }
  assert.throws(() => refuseModel('s/service', project, 's/service'), refusal)
  const twice = { model: 'a/usual', models: ['b/other', 'a/usual'] }
  assert.throws(() => refuseModel('s/service', twice, 's/service'), { message: /: a\/usual, b\/other\.$/ })
  assert.throws(() => refuseModel('b/other', { model: null, models: [] }, 's/service'), { code: 'invalid_input' })
})

test('a job keeps the model that it chose while the project allows it', () => {
  assert.equal(modelOf({ chosen_model: null }, project, 's/service'), 'a/usual')
  assert.equal(modelOf({ chosen_model: null }, { model: null, models: ['b/other'] }, 's/service'), 's/service')
  assert.equal(modelOf({ chosen_model: 'b/other' }, project, 's/service'), 'b/other')
  const gone = { code: 'model_not_configured', message: /does not allow the model c\/gone .* such as a\/usual/ }
  assert.throws(() => modelOf({ chosen_model: 'c/gone' }, project, 's/service'), gone)
})

test('a choice of base and draft counts for a new branch only', () => {
  const job = (base: string | null, draft: boolean | null) =>
    ({ base_branch: 'main', draft: true, next_base_branch: base, next_draft: draft }) as JobRow
  const cleared = { next_base_branch: null, next_draft: null }
  assert.deepEqual(applyChoice(job('v2', false), true), { ...cleared, base_branch: 'v2', draft: false })
  assert.deepEqual(applyChoice(job('v2', null), true), { ...cleared, base_branch: 'v2', draft: true })
  assert.deepEqual(applyChoice(job(null, false), true), { ...cleared, base_branch: 'main', draft: false })
  assert.deepEqual(applyChoice(job('v2', false), false), cleared)
  assert.deepEqual(applyChoice(job(null, null), true), {})
})

test('the limits of a job only narrow those of its project', () => {
  const wide = { budget: '{"turns":50,"costUsd":2}', path_policy: '{"deny":["legal/"]}' }
  assert.deepEqual(narrowProject(wide, limitColumns(undefined)), wide)
  const limits = limitColumns({ budget: { turns: 10, costUsd: 5, seconds: 60 }, scope: ['docs/'] })
  const narrowed = narrowProject(wide, limits)
  assert.deepEqual(JSON.parse(narrowed.budget), { turns: 10, costUsd: 2, seconds: 60 })
  assert.deepEqual(JSON.parse(narrowed.path_policy), { deny: ['legal/'], scope: ['docs/'] })
  const few = narrowProject(wide, limitColumns({ budget: {}, scope: [], redirects: 20 }))
  assert.deepEqual(JSON.parse(few.path_policy), { deny: ['legal/'], scope: [], redirects: 20 })
})

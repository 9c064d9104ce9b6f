import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doneOf, firstOpen, stepAfter, steps, toStep } from './steps.ts'

const builtIn = 'docent/rules'
const zero = { providers: 0, keys: 0, sites: 0, jobs: 0 }
const nothing = { project: undefined, access: undefined, standardModel: builtIn, builtIn, ...zero }

test('the first run begins with the repository and ends with a job', () => {
  assert.equal(firstOpen(doneOf(nothing)), 'project')
  const project = { model: null }
  assert.equal(firstOpen(doneOf({ ...nothing, project })), 'model')
  assert.equal(firstOpen(doneOf({ ...nothing, project, providers: 1, keys: 1 })), 'visitors')
  assert.equal(firstOpen(doneOf({ ...nothing, project, providers: 1, keys: 1, sites: 1, jobs: 3 })), undefined)
})

test('a model is chosen by a key, by the project or by the operator', () => {
  const project = { model: null }
  assert.equal(doneOf({ ...nothing, project }).model, false)
  assert.equal(doneOf({ ...nothing, project, standardModel: undefined }).model, false)
  assert.equal(doneOf({ ...nothing, project: { model: builtIn } }).model, true)
  assert.equal(doneOf({ ...nothing, project, providers: 1 }).model, true)
  assert.equal(doneOf({ ...nothing, project, standardModel: 'openai/gpt-5.4' }).model, true)
})

test('a repository is connected once it was read and nothing is refused', () => {
  const project = { model: null }
  const all = { read: 'yes', push: 'yes', pullRequests: 'yes' } as const
  const unknown = { read: 'unknown', push: 'unknown', pullRequests: 'unknown' } as const
  for (const [access, isDone] of [
    [undefined, true],
    [{ rights: all, problem: null }, true],
    [{ rights: { ...all, push: 'unknown' }, problem: null }, true],
    [{ rights: { ...all, push: 'no' }, problem: null }, false],
    [{ rights: unknown, problem: 'The name of the host cannot be resolved.' }, false],
    [{ rights: all, problem: 'The repository has no branch main.' }, false],
  ] as const)
    assert.equal(doneOf({ ...nothing, project, access }).project, isDone, JSON.stringify(access))
})

test('every step has a next one, except the last', () => {
  assert.deepEqual(steps.map(stepAfter), [...steps.slice(1), undefined])
  assert.equal(toStep('key'), 'key')
  assert.equal(toStep('nothing'), undefined)
})

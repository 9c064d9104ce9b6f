import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedJob } from '../../api/jobs.ts'
import { mergeJobs } from './merge.ts'

const jobs = (ids: string, model = 'old') => Array.from(ids, (id) => ({ id, model }) as ListedJob)
const shown = (rows: readonly ListedJob[] | undefined) => rows?.map(({ id, model }) => id + model[0]).join(' ')

test('new and changed jobs come first, and those read before stay', () => {
  assert.equal(shown(mergeJobs(jobs('dcba'), jobs('edc', 'new'), false)), 'en dn cn bo ao')
})

test('a job that left the filter is gone, and a short list is all there is', () => {
  assert.equal(shown(mergeJobs(jobs('dcba'), jobs('db', 'new'), false)), 'dn bn ao')
  assert.equal(shown(mergeJobs(jobs('dcba'), jobs('d', 'new'), true)), 'dn')
  assert.equal(shown(mergeJobs(jobs('dcba'), [], true)), '')
})

test('a gap between the two is noticed', () => {
  assert.equal(mergeJobs(jobs('cba'), jobs('zyx', 'new'), false), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whileAllowed } from './prepare.ts'

const { signal } = new AbortController()

/** Ends when it is aborted. */
function endless(during: AbortSignal, ended: string[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    during.addEventListener('abort', () => {
      ended.push('work')
      reject(during.reason as Error)
    })
  })
}

test('a refusal aborts the work, and is what the caller gets', async () => {
  const refusal = new Error('The credential may not push.')
  const ended: string[] = []
  const refused = whileAllowed(
    () => Promise.reject(refusal),
    (during) => endless(during, ended),
    signal,
  )
  await assert.rejects(refused, refusal)
  assert.deepEqual(ended, ['work'])
})

test('a refusal comes before what went wrong with the work', async () => {
  const asked = Promise.withResolvers<void>()
  const work = async () => {
    asked.reject(new Error('refused'))
    throw new Error('no such branch')
  }
  await assert.rejects(
    whileAllowed(() => asked.promise, work, signal),
    { message: 'refused' },
  )
})

test('allowed work gives its result, and fails with its own error', async () => {
  const allow = () => Promise.resolve()
  assert.equal(await whileAllowed(allow, () => Promise.resolve(7), signal), 7)
  await assert.rejects(
    whileAllowed(allow, () => Promise.reject(new Error('no such branch')), signal),
    { message: 'no such branch' },
  )
})

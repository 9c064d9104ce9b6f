import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { Failure } from '../../lib/failure.ts'
import type { AppEnv } from '../context.ts'
import { createProcessRedactor } from '../../lib/outbound/redactor.ts'
import { createErrorHandler } from './problem.ts'

const rows: readonly (readonly [name: string, thrown: Error, code: string, wait: string | null])[] = [
  ['a deadline of the platform', new DOMException('late', 'TimeoutError'), 'unavailable', '5'],
  ['an aborted operation', new DOMException('gone', 'AbortError'), 'unavailable', '5'],
  ['a failure with a time', new Failure('rate_limited', 'Slow down.', { retryAfter: 1.2 }), 'rate_limited', '2'],
  ['a failure that can be tried at once', new Failure('unavailable', 'Away.', { retryAfter: 0 }), 'unavailable', '1'],
  ['any other error', new TypeError('secret'), 'internal', null],
]

for (const [name, thrown, code, wait] of rows) {
  test(`${name} becomes ${code}`, async () => {
    const logged: unknown[] = []
    const error = (entry: unknown) => void logged.push(entry)
    const app = new Hono<AppEnv>()
    app.onError(
      createErrorHandler({
        publicUrl: 'https://docs.test',
        log: { error } as never,
        redactor: createProcessRedactor(),
      }),
    )
    app.get('/', () => {
      throw thrown
    })
    const response = await app.request('/')
    const problem = (await response.json()) as Record<string, unknown>
    assert.equal(problem['code'], code)
    assert.equal(response.headers.get('Retry-After'), wait)
    assert.equal(logged.length, code === 'internal' ? 1 : 0)
    assert.ok(!JSON.stringify(problem).includes('secret'))
  })
}

import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { Failure } from '../lib/failure.ts'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../test/support/openapi-app.ts'

suite('checks of every request', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
  })

  const lastLine = () => t.log.at(-1) ?? {}

  test('a wrong method is 405 and names the right ones', async () => {
    const table: [string, string, string][] = [
      ['PUT', jobs, 'POST'],
      ['GET', jobs, 'POST'],
      ['DELETE', `${jobs}/job_00000000000000000000`, 'GET, HEAD'],
      ['OPTIONS', '/v1/projects', 'GET, HEAD, POST'],
      ['PATCH', '/v1/keys', 'GET, HEAD, POST'],
      ['GET', '/v1/keys/key_00000000000000000000', 'DELETE'],
      ['POST', '/openapi.json', 'GET, HEAD'],
      ['PROPFIND', '/healthz', 'GET, HEAD'],
    ]
    for (const [method, path, allow] of table) {
      const response = await t.call(path, { method })
      assert.equal(response.headers.get('Allow'), allow, `${method} ${path}`)
      await expectProblem(response, 405, 'method_not_allowed')
    }
  })

  test('an unknown path is 404 without Allow, for every method', async () => {
    for (const path of [
      '/welcome',
      '/v2',
      '/v2/',
      '/v1/projects/',
      '/healthz/',
      '//healthz',
      '/v3/agent',
      '/pulls',
      '/%00',
    ]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await t.app.request(`${publicUrl}${path}`, { method, headers: bearer() })
        assert.equal(response.headers.get('Allow'), null)
        await expectProblem(response, 404, 'not_found')
      }
    }
  })

  test('nothing in an address or a header makes the service fail', async () => {
    const paths = [
      '/v2/agent/%E0%A4%A/jobs',
      '/v2/agent/%/job/%',
      `${jobs}s?limit=%E0%A4%A`,
      `${jobs}s?limit`,
      `${jobs}s?__proto__=1&constructor=2&toString=3&hasOwnProperty=4`,
      `${jobs}s?&&&==&=x`,
      `${jobs}s?cursor=%00`,
      `${jobs}s?cursor=${'a'.repeat(9_000)}`,
      `${jobs}s?status=active&status=active`,
      `/v1/projects/${t.project.id}/pulls/99999999999999999999`,
      `/v1/projects/${t.project.id}/pulls/0`,
      `/v1/projects/${t.project.id}/pulls/-1`,
      `/v1/projects/${t.project.id}/pulls/1e3`,
      `/v1/projects/${t.project.id}/pulls/%00`,
      `/v1/projects/${t.project.id}/pulls?state=OPEN`,
      '/pulls/%00',
      '/pulls/%E0%A4%A',
      `/pulls/${'a'.repeat(22)}`,
      `/pulls/..%2f..%2f`,
    ]
    const headers = ['\u00ff', 'x'.repeat(20_000), ',,,;;;', '"', 'W/', '*/*;q=9', '=?utf-8?']
    for (const path of paths) {
      const response = await t.app.request(`${publicUrl}${path}`, { headers: bearer() })
      assert.ok(response.status < 500, `${path}: ${response.status}`)
    }
    for (const name of [
      'Accept',
      'If-None-Match',
      'Idempotency-Key',
      'X-Forwarded-For',
      'Content-Encoding',
      'X-Request-Id',
    ]) {
      for (const value of headers) {
        const init = {
          method: 'POST',
          body: '{"prompt":"x"}',
          headers: { ...bearer(), 'Content-Type': 'application/json', [name]: value },
        }
        const response = await t.app.request(`${publicUrl}${jobs}`, init)
        assert.ok(response.status < 500, `${name}: ${response.status}`)
      }
    }
  })

  test('every response has a request id and security headers, and no CORS', async () => {
    for (const path of ['/healthz', '/nothing', `${jobs}s`, '/reference', '/pulls/x', '/pulls.css', '/openapi.json']) {
      const headers = { ...bearer(), Origin: 'https://evil.test', 'X-Request-Id': 'mine\u00ff' }
      const response = await t.app.request(`${publicUrl}${path}`, { headers })
      assert.match(response.headers.get('X-Request-Id') ?? '', /^req_[0-9a-z]{20}$/)
      assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff')
      assert.equal(response.headers.get('Referrer-Policy'), 'no-referrer')
      assert.equal(response.headers.get('X-Frame-Options'), 'DENY')
      assert.match(response.headers.get('Content-Security-Policy') ?? '', /^default-src 'none'.*frame-ancestors 'none'/)
      assert.ok(response.headers.has('Cache-Control'))
      assert.equal(response.headers.get('Access-Control-Allow-Origin'), null)
    }
  })

  test('HEAD answers like GET, without a body', async () => {
    for (const path of ['/healthz', `${jobs}s`, '/v1/projects', '/openapi.json']) {
      const [get, head] = [await t.call(path), await t.call(path, { method: 'HEAD' })]
      assert.equal(head.status, get.status)
      assert.equal(head.headers.get('Content-Type'), get.headers.get('Content-Type'))
      assert.equal(await head.text(), '')
    }
  })

  test('the log has one line for a request: no query, no key, no body', async () => {
    await t.call(`${jobs}s?limit=3&note=private`)
    const { method, route, status, principal, requestId, projectId, address } = lastLine()
    assert.deepEqual([method, route, status], ['GET', '/v2/agent/:projectId/jobs', 200])
    assert.match(String(principal), /^key_/)
    assert.match(String(requestId), /^req_/)
    assert.equal(projectId, t.project.id)
    assert.equal(address, undefined)
    const { id } = (await (await t.call(jobs, { json: { prompt: 'a private prompt' } })).json()) as { id: string }
    assert.equal(lastLine()['jobId'], id)
    await t.call(`${jobs}/${id}/messages`)
    assert.equal(lastLine()['jobId'], id)
    await t.call(`${jobs}/${id}`, { key: t.keys.foreign })
    assert.equal(lastLine()['jobId'], undefined)
    await t.call(`${jobs}?key=${t.keys.write}`, { json: { prompt: 'a private prompt' } })
    const text = JSON.stringify(t.log)
    assert.ok(!text.includes('private') && !text.includes(t.keys.write))
  })

  test('a key that was sent in a path is hidden in the response', async () => {
    const key = t.keys.write
    for (const path of [`/v1/projects/${key}`, `/v1/${key}/x`, `/${key}`, `/v1/projects/${key.replace('_', '%5F')}`]) {
      const text = await (await t.app.request(`${publicUrl}${path}`, { headers: bearer() })).text()
      assert.match(text, /"instance":"[^"]*docent_…/, path)
      assert.ok(!text.includes(key.slice(7)), path)
    }
  })

  test('an unexpected error is a 500 without details, and the log has the cause', async () => {
    const broken = await t.start({
      identify: async () => {
        throw new Error('password of the database is hunter2', { cause: new Error('the root of it') })
      },
    })
    const response = await broken.call(`${jobs}s`)
    const problem = await expectProblem(response, 500, 'internal')
    assert.equal(problem.detail, 'Something went wrong inside the service.')
    const line = t.log.find((one) => one['requestId'] === problem.requestId && one['msg'] === 'failed')
    assert.match(String(line?.['error']), /hunter2[\s\S]*caused by Error: the root of it/)
  })

  test('a failure inside the service keeps its words to the log', async () => {
    const words = 'The mirror at /var/lib/docent is damaged.'
    const broken = await t.start({ identify: () => Promise.reject(new Failure('internal', words)) })
    const problem = await expectProblem(await broken.call(`${jobs}s`), 500, 'internal')
    assert.ok(!JSON.stringify(problem).includes('/var/lib'))
    assert.ok(JSON.stringify(t.log).includes(words))
  })

  test('a silent store makes /readyz 503 with Retry-After, and /healthz stays 200', async () => {
    const clock = { state: 'trusted', detail: null }
    const disk = { state: 'enough', freeBytes: 5e9, detail: null }
    const ready = { status: 'ok', clock, disk, pageViewLog: { bytes: 0, seconds: 0, damaged: 0 }, forwarded: null }
    assert.deepEqual(await (await t.call('/readyz', { key: null })).json(), ready)
    const broken = await t.start({ ready: () => Promise.reject(new Error('connection refused to 10.0.0.1')) })
    const response = await broken.call('/readyz', { key: null })
    assert.equal(response.headers.get('Retry-After'), '5')
    const problem = await expectProblem(response, 503, 'unavailable')
    assert.ok(!problem.detail.includes('10.0.0.1'))
    assert.equal((await broken.call('/healthz', { key: null })).status, 200)
  })

  test('a disk that is nearly full is reported by /readyz, which stays 200', async () => {
    const disk = { state: 'nearly_full', freeBytes: 4096, detail: 'The disk is nearly full.' } as const
    const full = await t.start({ diskState: async () => disk })
    const response = await full.call('/readyz', { key: null })
    assert.equal(response.status, 200)
    assert.deepEqual(((await response.json()) as { disk: unknown }).disk, disk)
  })

  test('a doubted clock is reported by /readyz, which stays 200', async () => {
    const trustedAt = Date.UTC(2026, 10, 20, 9)
    const seenAt = Date.UTC(2027, 1, 28, 9)
    const doubting = await t.start({ clockState: () => ({ kind: 'doubted', trustedAt, seenAt, runningMs: 5_400_000 }) })
    const response = await doubting.call('/readyz', { key: null })
    assert.equal(response.status, 200)
    const { status, clock } = (await response.json()) as { status: string; clock: { state: string; detail: string } }
    assert.deepEqual([status, clock.state], ['ok', 'doubted'])
    assert.match(
      clock.detail,
      /^The clock says 2027-02-28 09:00 UTC, but it was last trusted at 2026-11-20 09:00 UTC: /,
    )
    assert.match(
      clock.detail,
      /`docent doctor --accept-clock`; otherwise it is accepted after 23 more hours of running/,
    )
  })

  function bearer(): Record<string, string> {
    return { Authorization: `Bearer ${t.keys.write}` }
  }
})

import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { Failure } from '../lib/failure.ts'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../test/support/openapi-app.ts'

const megabyte = 1024 * 1024

suite('what every request meets', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
  })

  const post = (body: string | Uint8Array<ArrayBuffer> | ReadableStream, headers: Record<string, string> = {}) =>
    t.call(jobs, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })
  const lastLine = () => t.log.at(-1) ?? {}

  test('refused prompts are named by field, and their content is not repeated', async () => {
    const table: [string, string, string][] = [
      ['{"prompt":""}', '#/prompt', 'must not be empty'],
      ['{"prompt":"  \\n\\t\\u00a0\\u3000 "}', '#/prompt', 'must not be only white space'],
      ['{"prompt":"before\\u0000after"}', '#/prompt', 'must not contain a NUL character'],
      ['{"prompt":"\\ud800 lone"}', '#/prompt', 'must not contain a lone surrogate'],
      ['{"prompt":"lone \\udc00"}', '#/prompt', 'must not contain a lone surrogate'],
      [JSON.stringify({ prompt: 'x'.repeat(50_001) }), '#/prompt', 'must have at most 50,000 characters'],
      [JSON.stringify({ prompt: '😀'.repeat(50_001) }), '#/prompt', 'must have at most 50,000 characters'],
      ['{"prompt":7}', '#/prompt', 'must be of type string'],
      ['{"prompt":null}', '#/prompt', 'must be of type string'],
      ['{"prompt":["x"]}', '#/prompt', 'must be of type string'],
      ['{"prompt":{"toString":"x"}}', '#/prompt', 'must be of type string'],
      ['{}', '#/prompt', 'is missing'],
      ['{"Prompt":"x"}', '#/prompt', 'is missing'],
      ['{"__proto__":{"prompt":"polluted"}}', '#/prompt', 'is missing'],
      ['{"constructor":{"prototype":{"prompt":"x"}}}', '#/prompt', 'is missing'],
      ['[]', '#', 'must be of type object'],
      ['[{"prompt":"x"}]', '#', 'must be of type object'],
      ['"prompt"', '#', 'must be of type object'],
      ['null', '#', 'must be of type object'],
      ['7', '#', 'must be of type object'],
      ['', '#', 'is missing'],
      ['{', '#', 'is not JSON'],
      ["{'prompt':'x'}", '#', 'is not JSON'],
      ['{"prompt":"x"} secret-tail', '#', 'is not JSON'],
      ['{"prompt":"unended', '#', 'is not JSON'],
      ['{"prompt":"tab\tin text"}', '#', 'is not JSON'],
      ['prompt=x', '#', 'is not JSON'],
      [nested(64, '['), '#', 'must be of type object'],
      [nested(65, '['), '#', 'must be nested at most 64 levels deep'],
      [`{"prompt":${nested(400_000, '[')}}`, '#', 'must be nested at most 64 levels deep'],
      ['['.repeat(100_000), '#', 'must be nested at most 64 levels deep'],
      [nested(64, '{"a":'), '#/prompt', 'is missing'],
      [nested(65, '{"a":'), '#', 'must be nested at most 64 levels deep'],
    ]
    for (const [body, pointer, message] of table) {
      const problem = await expectProblem(await post(body), 400, 'invalid_input')
      assert.deepEqual(problem.details, [{ message, pointer }], body.slice(0, 60))
      assert.ok(JSON.stringify(problem).length < 700, 'the answer repeats the input')
      assert.ok(!problem.detail.includes('secret-tail'))
    }
  })

  test('prompts at the edge of what is allowed come back exactly as they were sent', async () => {
    const prompts = [
      'x',
      'x'.repeat(50_000),
      '😀'.repeat(50_000),
      'بسم\ufeff\u202e \u200d\u{e0041} 𝒳\r\n\t\u0001"\\',
      'e\u0301 is not é',
      '<script>alert(1)</script>',
    ]
    for (const prompt of prompts) {
      const created = await t.call(jobs, { json: { prompt, unknown: 1 } })
      assert.equal(created.status, 201)
      const { id } = (await created.json()) as { id: string }
      const { messages } = (await (await t.call(`${jobs}/${id}/messages`)).json()) as { messages: { prompt: string }[] }
      assert.equal(messages[0]?.prompt, prompt)
    }
  })

  test('of duplicate fields the last counts, unknown fields and query parameters do not', async () => {
    const response = await t.call(`${jobs}?verbose=1&prompt=no`, {
      body: '{"prompt":7,"id":"job_x","status":"archived","__proto__":{"x":1},"prompt":"last"}',
      headers: { 'Content-Type': 'application/json' },
    })
    assert.equal(response.status, 201)
    assert.equal(((await response.json()) as { status: string }).status, 'active')
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
  })

  test('only application/json is taken, with parameters or without', async () => {
    const accepted = [
      'application/json',
      'Application/JSON; charset=utf-8',
      'application/json ;charset="utf-8"',
      'application/json;',
      'application/json;profile=x;q=1',
    ]
    for (const type of accepted)
      assert.equal((await post('{"prompt":"x"}', { 'Content-Type': type })).status, 201, type)
    const refused = [
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/jsonx',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'text/json',
      'json',
      '',
    ]
    for (const type of refused) {
      const response = await post('{"prompt":"x"}', { 'Content-Type': type })
      await expectProblem(response, 415, 'unsupported_media_type')
    }
    const bare = await t.call(jobs, { method: 'POST', body: new TextEncoder().encode('{"prompt":"x"}') })
    await expectProblem(bare, 415, 'unsupported_media_type')
    const zipped = await post('{"prompt":"x"}', { 'Content-Encoding': 'gzip' })
    await expectProblem(zipped, 415, 'unsupported_media_type')
  })

  test('operations without a body ignore an empty one and refuse one of another type', async () => {
    const archive = `${jobs}/job_00000000000000000000/archive`
    await expectProblem(await t.call(archive, { method: 'POST' }), 404, 'not_found')
    await expectProblem(await t.call(archive, { method: 'POST', json: { any: 1 } }), 404, 'not_found')
    await expectProblem(await t.call(archive, { method: 'POST', body: 'x' }), 415, 'unsupported_media_type')
  })

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"prompt":"'), 0xc3, 0x28, 0x22, 0x7d])
    const problem = await expectProblem(await post(bytes), 400, 'invalid_input')
    assert.equal(problem.detail, 'The body is not UTF-8.')
  })

  test('a body over 1 MiB is refused, announced or not, and one of 1 MiB is read', async () => {
    const filled = (size: number) => `{"prompt":"x","filler":"${'y'.repeat(size - 26)}"}`
    assert.equal((await post(filled(megabyte))).status, 201)
    await expectProblem(await post(filled(megabyte + 1)), 413, 'payload_too_large')
    const announced = await post('{"prompt":"x"}', { 'Content-Length': String(megabyte + 1) })
    await expectProblem(announced, 413, 'payload_too_large')
    const pulled = { chunks: 0 }
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled.chunks += 1
        controller.enqueue(new Uint8Array(megabyte / 8).fill(0x20))
      },
    })
    await expectProblem(await post(endless), 413, 'payload_too_large')
    assert.ok(pulled.chunks < 100, 'it reads on and on after the limit')
  })

  test('a body that breaks off is a refusal, not a failure of the service', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    await expectProblem(await post(broken), 400, 'invalid_input')
  })

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

  test('an address that is none is 404 without Allow, whatever the method', async () => {
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

  test('what nobody expected is 500 without a word about it, and the log has the cause', async () => {
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
    const ready = { status: 'ok', clock: { state: 'trusted', detail: null } }
    assert.deepEqual(await (await t.call('/readyz', { key: null })).json(), ready)
    const broken = await t.start({ ready: () => Promise.reject(new Error('connection refused to 10.0.0.1')) })
    const response = await broken.call('/readyz', { key: null })
    assert.equal(response.headers.get('Retry-After'), '5')
    const problem = await expectProblem(response, 503, 'unavailable')
    assert.ok(!problem.detail.includes('10.0.0.1'))
    assert.equal((await broken.call('/healthz', { key: null })).status, 200)
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

  /** JSON that nests so deep. */
  function nested(depth: number, open: '[' | '{"a":'): string {
    return open.repeat(depth) + (open === '[' ? ']' : '1}') + (open === '[' ? ']' : '}').repeat(depth - 1)
  }

  function bearer(): Record<string, string> {
    return { Authorization: `Bearer ${t.keys.write}` }
  }
})

import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../test/support/openapi-app.ts'

const megabyte = 1024 * 1024

suite('bodies', () => {
  let t: TestApp
  let jobs: string
  before(async () => {
    t = await openTestApp()
    jobs = `/v2/agent/${t.project.id}/job`
  })

  const post = (body: string | Uint8Array<ArrayBuffer> | ReadableStream, headers: Record<string, string> = {}) =>
    t.call(jobs, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

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

  test('prompts at the limits come back exactly as they were sent', async () => {
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

  test('the last duplicate field counts; unknown fields and query parameters do not', async () => {
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

  /** JSON that nests so deep. */
  function nested(depth: number, open: '[' | '{"a":'): string {
    return open.repeat(depth) + (open === '[' ? ']' : '1}') + (open === '[' ? ']' : '}').repeat(depth - 1)
  }
})

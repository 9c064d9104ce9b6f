import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { publicUrl, startBareApp, type Started } from '../../test/support/openapi-app.ts'
import { validated } from '../../test/support/openapi-validate.ts'
import { failures, jobFailures, requestFailures } from '../lib/failure.ts'
import type { Document } from './document.ts'

type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>

suite('the OpenAPI document', () => {
  let t: Started
  let document: Document
  let operations: readonly { readonly name: string; readonly operation: Operation }[]
  before(async () => {
    t = await startBareApp()
    document = t.document as Document
    operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete', 'options'] as const).flatMap((method) => {
        const operation = item[method]
        return operation ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : []
      }),
    )
  })

  test('every operation has a name, a summary, a description, a tag and its problems', () => {
    const tags = new Set(document.tags?.map((tag) => tag.name))
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
    for (const { name, operation } of operations) {
      assert.ok(operation.operationId && operation.summary && operation.description, name)
      assert.ok(operation.tags?.length === 1 && tags.has(operation.tags[0] ?? ''), name)
      const statuses = Object.keys(operation.responses ?? {})
      assert.ok(statuses.some((status) => status.startsWith('2')) && statuses.includes('500'), name)
      assert.ok(statuses.includes('431'), name)
      // `[]` and `{}`: also without a key and a session.
      const isOpen = operation.security?.every((one) => Object.keys(one).length > 0) === false
      const mayRefuse =
        ['signIn', 'receiveEvent', 'receiveDelivery'].includes(operation.operationId ?? '') ||
        !(isOpen || operation.security?.length === 0)
      assert.equal(statuses.includes('401'), mayRefuse, name)
      if (operation.requestBody) for (const status of ['400', '413', '415']) assert.ok(statuses.includes(status), name)
    }
  })

  test('every security scheme that an operation names is described', () => {
    const schemes = Object.keys(document.components?.securitySchemes ?? {})
    const named = operations.flatMap(({ operation }) => (operation.security ?? []).flatMap((one) => Object.keys(one)))
    assert.deepEqual(
      [...new Set(named)].filter((name) => !schemes.includes(name)),
      [],
    )
  })

  test('every success has one media type, so that clients get one type', () => {
    const types = operations.flatMap(({ name, operation }) => {
      const response = operation.responses?.['200'] ?? operation.responses?.['201'] ?? {}
      return 'content' in response ? [[name, Object.keys(response.content ?? {})] as const] : []
    })
    assert.ok(types.length > 40)
    for (const [name, offered] of types) assert.equal(offered.length, 1, name)
    assert.deepEqual(Object.fromEntries(types)['GET /v2/agent/{projectId}/job/{id}/events'], ['text/event-stream'])
  })

  test('an error that several operations have is written once, with each code once', () => {
    const text = JSON.stringify(document)
    const perOperation = text.length / operations.length
    assert.ok(perOperation < 3_200, `${perOperation} characters for each operation`)
    const enums = [...text.matchAll(/"code":\{"enum":(\[[^\]]*\])/g)].map(
      ([, list]) => JSON.parse(list ?? '') as string[],
    )
    assert.ok(enums.length > 15)
    for (const codes of enums) assert.equal(new Set(codes).size, codes.length, String(codes))
    const texts = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
        Number(status) < 400 || '$ref' in response ? [] : [JSON.stringify(response)],
      ),
    )
    assert.equal(new Set(texts).size, texts.length)
  })

  test('it has its address, its security scheme, and the advice for every code', () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.deepEqual(document.servers, [{ url: publicUrl }])
    assert.deepEqual(document.security, [{ key: [] }])
    const text = (document.tags ?? []).map((tag) => tag.description).join('\n')
    for (const code of [...Object.keys(jobFailures), ...Object.keys(requestFailures)] as (keyof typeof failures)[]) {
      assert.ok(text.includes(`| \`${code}\` | ${failures[code].title} | ${failures[code].todo} |`), code)
    }
  })

  test('its schemas compile and its examples fit them', () => {
    const ajv = new Ajv2020({ strict: false })
    ajv.addFormat('date', true)
    ajv.addFormat('date-time', true)
    ajv.addFormat('uri', true)
    ajv.addSchema(document, 'document')
    const schemas = Object.entries(document.components?.schemas ?? {})
    assert.ok(schemas.length > 10)
    for (const [name, schema] of schemas) {
      const validate = ajv.getSchema(`document#/components/schemas/${name}`)
      assert.ok(validate, name)
      if ('example' in schema) assert.ok(validate(schema.example), `${name}: ${ajv.errorsText(validate.errors)}`)
    }
    const paths = document.paths ?? {}
    for (const [path, status] of [
      ['/v2/agent/{projectId}/job', '201'],
      ['/v2/agent/{projectId}/job/{id}/message', '200'],
    ] as const) {
      const response = paths[path]?.post?.responses?.[status] ?? {}
      const { example } = ('content' in response && response.content?.['application/json']) || {}
      assert.ok(ajv.getSchema('document#/components/schemas/Job')?.(example), path)
    }
  })

  test('its rule for prompts matches the check', () => {
    const prompt = document.components?.schemas?.['Prompt']
    assert.ok(prompt && 'properties' in prompt)
    const ajv = new Ajv2020({ strict: false })
    const validate = ajv.compile(prompt)
    assert.ok(validate({ prompt: '😀'.repeat(50_000) }))
    for (const bad of [{}, { prompt: '' }, { prompt: ' ' }, { prompt: '😀'.repeat(50_001) }]) assert.ok(!validate(bad))
  })

  test('it and the reference are kept by callers that have them', async () => {
    for (const path of ['/openapi.json', '/reference']) {
      const first = await t.call(path, { key: null })
      const headers = { 'If-None-Match': first.headers.get('ETag') ?? '' }
      assert.equal((await t.call(path, { key: null, headers })).status, 304)
    }
  })

  test('the reference shows every operation, schema and code, without scripts', async () => {
    const page = await (await t.call('/reference', { key: null })).text()
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
    for (const { operation } of operations) assert.ok(ids.has(operation.operationId ?? ''), operation.operationId)
    for (const name of Object.keys(document.components?.schemas ?? {})) assert.ok(ids.has(`schema-${name}`), name)
    for (const code of Object.keys({ ...requestFailures, ...jobFailures })) assert.ok(ids.has(`code-${code}`), code)
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(id ?? ''), `#${id} leads nowhere`)
    assert.equal(ids.size, [...page.matchAll(/\sid="/g)].length, 'an id is there twice')
    assert.ok(
      !/<script|\sstyle=|\son\w+=|https?:\/\/(?!docs\.test|docs\.example|(?:\w+\.)?example\.com|(?:api\.)?github\.com|json\.schemastore\.org)/.test(
        page,
      ),
    )
  })

  test('the reference shows bodies, and curl commands that send them with a key', async () => {
    const page = await (await t.call('/reference', { key: null })).text()
    const articleOf = (id: string) => page.split(`<article id="${id}">`)[1]?.split('</article>')[0] ?? ''
    const curlOf = (id: string) => /<pre>(.*?)<\/pre>/s.exec(articleOf(id))?.[1]?.split(' \\\n  ')
    assert.match(articleOf('createJob'), /<h4>Body: .*?<code>prompt<\/code>/s)
    const prompt = 'Fix the broken links'
    assert.deepEqual(curlOf('createJob'), [
      `curl -X POST &#39;${publicUrl}/v2/agent/{projectId}/job&#39;`,
      '-H &quot;Authorization: Bearer $DOCENT_API_KEY&quot;',
      '-H &#39;Content-Type: application/json&#39;',
      `-d &#39;{&quot;prompt&quot;:&quot;${prompt}&quot;}&#39;`,
    ])
    assert.deepEqual(curlOf('getHealth'), [`curl &#39;${publicUrl}/healthz&#39;`])
  })

  test('an answer that is not described fails the test that meets it', async () => {
    const answer = (status: number, body: string, headers: Record<string, string>) =>
      validated(() => new Response(body, { status, headers: { 'X-Request-Id': 'r', ...headers } }), document)
    const json = { 'Content-Type': 'application/json' }
    const { example: project } = (document.components?.schemas?.['Project'] ?? {}) as { readonly example?: object }
    const body = JSON.stringify({ projects: [project], nextCursor: null })
    await answer(200, body, json)('/v1/projects')
    const faults: [Promise<unknown>, RegExp][] = [
      [answer(202, body, json)('/v1/projects'), /status is not described/],
      [answer(200, body, { 'Content-Type': 'text/html' })('/v1/projects'), /type text\/html is not described/],
      [answer(200, '{"projects":[{}],"nextCursor":null}', json)('/v1/projects'), /required property 'id'/],
      [
        answer(200, JSON.stringify({ projects: [{ ...project, x: 1 }], nextCursor: null }), json)('/v1/projects'),
        /additional properties/,
      ],
      [answer(200, body, { ...json, Location: '/' })('/v1/projects'), /Location is not described/],
      [answer(201, JSON.stringify(project), json)('/v1/projects', { method: 'POST' }), /has no Location/],
      [answer(404, '{"code":"forbidden"}', problem)(`/v2/agent/prj_x/jobs`), /allowed values/],
      [answer(200, body, json)('/v9/none'), /no such path/],
      [answer(200, body, json)('/v1/projects', { method: 'PUT' }), /no such method/],
      [validated(() => new Response(body, { headers: json }), document)('/v1/projects'), /no X-Request-Id/],
    ]
    for (const [fault, message] of faults) await assert.rejects(fault, message)
  })

  const problem = { 'Content-Type': 'application/problem+json' }
})

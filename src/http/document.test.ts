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

  test('it has the operations of this release, and no others', () => {
    assert.deepEqual(operations.map(({ name }) => name).toSorted(), [
      'DELETE /v1/forge-apps/{forgeAppId}',
      'DELETE /v1/invitations/{invitationId}',
      'DELETE /v1/keys/{keyId}',
      'DELETE /v1/model-keys/{provider}',
      'DELETE /v1/people/{personId}',
      'DELETE /v1/projects/{projectId}',
      'DELETE /v1/projects/{projectId}/credential',
      'DELETE /v1/projects/{projectId}/credential/signing-key',
      'DELETE /v1/projects/{projectId}/fork',
      'DELETE /v1/projects/{projectId}/shares/{shareId}',
      'DELETE /v1/projects/{projectId}/sites/{siteId}',
      'DELETE /v1/session',
      'DELETE /v1/sessions/{sessionId}',
      'GET /github/created',
      'GET /github/installed',
      'GET /github/new',
      'GET /healthz',
      'GET /metrics',
      'GET /openapi.json',
      'GET /pulls/{token}',
      'GET /readyz',
      'GET /reference',
      'GET /v1/analytics/{projectId}',
      'GET /v1/analytics/{projectId}/ai-agents',
      'GET /v1/analytics/{projectId}/ai-agents.csv',
      'GET /v1/analytics/{projectId}/broken-pages',
      'GET /v1/analytics/{projectId}/broken-pages.csv',
      'GET /v1/analytics/{projectId}/crawlers',
      'GET /v1/analytics/{projectId}/crawlers.csv',
      'GET /v1/analytics/{projectId}/downloads',
      'GET /v1/analytics/{projectId}/downloads.csv',
      'GET /v1/analytics/{projectId}/referrers',
      'GET /v1/analytics/{projectId}/referrers.csv',
      'GET /v1/analytics/{projectId}/timeseries',
      'GET /v1/analytics/{projectId}/timeseries.csv',
      'GET /v1/analytics/{projectId}/views',
      'GET /v1/analytics/{projectId}/views.csv',
      'GET /v1/analytics/{projectId}/visitor-windows',
      'GET /v1/analytics/{projectId}/visitors',
      'GET /v1/analytics/{projectId}/visitors.csv',
      'GET /v1/audit',
      'GET /v1/forge-apps',
      'GET /v1/invitations',
      'GET /v1/invitations/{token}/accept',
      'GET /v1/keys',
      'GET /v1/model-keys',
      'GET /v1/models',
      'GET /v1/overview',
      'GET /v1/people',
      'GET /v1/projects',
      'GET /v1/projects/{projectId}',
      'GET /v1/projects/{projectId}/credential',
      'GET /v1/projects/{projectId}/pulls',
      'GET /v1/projects/{projectId}/pulls/{number}',
      'GET /v1/projects/{projectId}/pulls/{number}/comments',
      'GET /v1/projects/{projectId}/pulls/{number}/diff',
      'GET /v1/projects/{projectId}/pulls/{number}/diff.json',
      'GET /v1/projects/{projectId}/pulls/{number}/files',
      'GET /v1/projects/{projectId}/pulls/{number}/files.html',
      'GET /v1/projects/{projectId}/pulls/{number}/text.html',
      'GET /v1/projects/{projectId}/shares',
      'GET /v1/projects/{projectId}/sites',
      'GET /v1/script.js',
      'GET /v1/session',
      'GET /v1/sessions',
      'GET /v2/agent/{projectId}/job/{id}',
      'GET /v2/agent/{projectId}/job/{id}/activity',
      'GET /v2/agent/{projectId}/job/{id}/checks',
      'GET /v2/agent/{projectId}/job/{id}/checks.sarif',
      'GET /v2/agent/{projectId}/job/{id}/diff',
      'GET /v2/agent/{projectId}/job/{id}/diff.json',
      'GET /v2/agent/{projectId}/job/{id}/events',
      'GET /v2/agent/{projectId}/job/{id}/events.json',
      'GET /v2/agent/{projectId}/job/{id}/files',
      'GET /v2/agent/{projectId}/job/{id}/files.html',
      'GET /v2/agent/{projectId}/job/{id}/messages',
      'GET /v2/agent/{projectId}/job/{id}/turns',
      'GET /v2/agent/{projectId}/jobs',
      'OPTIONS /v1/collect/{siteId}',
      'PATCH /v1/people/{personId}',
      'PATCH /v1/projects/{projectId}',
      'PATCH /v1/projects/{projectId}/sites/{siteId}',
      'POST /v1/analytics/{projectId}/imports',
      'POST /v1/analytics/{projectId}/imports/erase',
      'POST /v1/analytics/{projectId}/imports/{importId}/finish',
      'POST /v1/analytics/{projectId}/page-views',
      'POST /v1/analytics/{projectId}/reclassify',
      'POST /v1/analytics/{projectId}/visitor-windows/rebuild',
      'POST /v1/analytics/{projectId}/visitors/erase',
      'POST /v1/collect/{siteId}',
      'POST /v1/forge-apps',
      'POST /v1/forge-apps/{forgeAppId}/check',
      'POST /v1/hooks/github/{forgeAppId}',
      'POST /v1/invitations',
      'POST /v1/invitations/{token}/accept',
      'POST /v1/keys',
      'POST /v1/keys/{keyId}/rotate',
      'POST /v1/model-keys/{provider}/check',
      'POST /v1/people',
      'POST /v1/projects',
      'POST /v1/projects/{projectId}/credential/check',
      'POST /v1/projects/{projectId}/credential/signing-key/prove',
      'POST /v1/projects/{projectId}/fork',
      'POST /v1/projects/{projectId}/policy/test',
      'POST /v1/projects/{projectId}/pulls/{number}/close',
      'POST /v1/projects/{projectId}/pulls/{number}/comments',
      'POST /v1/projects/{projectId}/pulls/{number}/merge',
      'POST /v1/projects/{projectId}/pulls/{number}/update',
      'POST /v1/projects/{projectId}/shares',
      'POST /v1/projects/{projectId}/sites',
      'POST /v1/session',
      'POST /v1/session/link',
      'POST /v1/setup',
      'POST /v2/agent/{projectId}/job',
      'POST /v2/agent/{projectId}/job/{id}/archive',
      'POST /v2/agent/{projectId}/job/{id}/cancel',
      'POST /v2/agent/{projectId}/job/{id}/message',
      'PUT /v1/forge-apps',
      'PUT /v1/model-keys/{provider}',
      'PUT /v1/projects/{projectId}/credential',
      'PUT /v1/projects/{projectId}/credential/signing-key',
      'PUT /v1/session/password',
    ])
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
        ['signIn', 'receiveGitHubDelivery'].includes(operation.operationId ?? '') ||
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
    assert.ok(perOperation < 2_950, `${perOperation} characters for each operation`)
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
      !/<script|\sstyle=|\son\w+=|https?:\/\/(?!docs\.test|docs\.example|(?:\w+\.)?example\.com|(?:api\.)?github\.com)/.test(
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareApp } from '../../../test/support/openapi-app.ts'
import type { Document } from '../document.ts'

/** Their schemas have the forms of others, or of several actions. */
const exempt = ['signIn', 'receiveGitHubDelivery']
const guarded = ['Keys', 'People', 'Credentials', 'Shared links', 'Forge apps', 'Models']

test('no operation on keys, people, credentials or rights takes unknown fields', async () => {
  const { document } = (await startBareApp()) as { readonly document: Document }
  const operations = Object.values(document.paths ?? {}).flatMap(({ post, put, patch, delete: remove }) =>
    [post, put, patch, remove].filter((one) => one !== undefined),
  )
  const bodies = operations.flatMap(({ operationId = '', tags: [tag = ''] = [], requestBody }) => {
    if (!guarded.includes(tag) || exempt.includes(operationId) || !requestBody || '$ref' in requestBody) return []
    const reference = requestBody.content['application/json']?.schema?.$ref
    return [[operationId, reference?.split('/').at(-1) ?? ''] as const]
  })
  assert.ok(bodies.length > 12)
  for (const [operation, schema] of bodies) {
    assert.partialDeepStrictEqual(document.components?.schemas?.[schema], { additionalProperties: false }, operation)
  }
})

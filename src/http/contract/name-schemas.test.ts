// The names of schemas in the OpenAPI document that the service serves.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startBareApp } from '../../../test/support/openapi-app.ts'
import type { Document } from '../document.ts'

test('every enum has a name, so that clients get one type for it', async () => {
  const { document } = (await startBareApp()) as { readonly document: Document }
  const { schemas = {}, parameters = {} } = document.components ?? {}
  const unnamed = JSON.stringify([schemas, parameters, document.paths], (name, value: unknown) =>
    // Error codes have a response with a name, and each list its own fields to sort by.
    ['code', 'sort', 'example'].includes(name) || isSort(value) ? undefined : value,
  ).matchAll(/"enum":(\["[^\]]*",[^\]]*\])/g)
  const named = Object.values(schemas).flatMap((schema) => ('enum' in schema ? [JSON.stringify(schema.enum)] : []))
  const known = ['["true","false"]', ...named]
  assert.deepEqual(
    [...unnamed].map(([, values]) => values).filter((values) => !known.includes(values ?? '')),
    [],
  )
  assert.equal(named.length, new Set(named).size, 'two names for one enum')
  assert.ok(named.length > 30)
  const { phase, archivedBy } = (schemas['Job'] as { properties: Record<string, object> }).properties
  const orNull = { type: 'null' }
  assert.partialDeepStrictEqual(phase, { anyOf: [{ $ref: '#/components/schemas/JobPhase' }, orNull] })
  assert.deepEqual(archivedBy, { anyOf: [{ $ref: '#/components/schemas/ArchivedBy' }, orNull] })
})

function isSort(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === 'sort'
}

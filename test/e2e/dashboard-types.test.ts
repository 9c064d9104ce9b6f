// The types of the API that the dashboard and `@docent/client` have are those of the document that the service publishes.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { renderTypes, target } from '../../dashboard/build/types.ts'

test('dashboard and client have the types of the OpenAPI document as it is', async () => {
  const isSame = (await readFile(target, 'utf8')) === (await renderTypes())
  assert.ok(isSame, 'run `npm run types -w dashboard`')
})

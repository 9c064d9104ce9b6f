// The dashboard's types of the API are those of the document that the service publishes.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { renderTypes, target } from '../../dashboard/build/types.ts'

test('the dashboard has the types of the OpenAPI document as it is', async () => {
  const isSame = (await readFile(target, 'utf8')) === (await renderTypes())
  assert.ok(isSame, 'run `npm run types -w dashboard`')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayUnreached } from './outside.ts'

test('an untrusted certificate is not called an address where nothing responds', () => {
  const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  const said = (code: string) => JSON.stringify(sayUnreached('https://docent.example', failed(code)))
  for (const code of ['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED'])
    assert.match(said(code), /a certificate that this machine does not trust/)
  assert.match(said('ECONNREFUSED'), /nothing responds at https:\/\/docent\.example/)
})

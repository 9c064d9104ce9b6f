import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameBrowser } from './user-agent.ts'

test('browsers have the names that people know', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const table: readonly (readonly [string, string])[] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/150.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/150.0.0.0 Safari/537.36 Edg/150.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/150.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'Safari on iOS'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on macOS'],
    ['', 'Unknown browser'],
    ['Monitor/1.0', 'Monitor/1.0'],
  ]
  for (const [userAgent, name] of table) assert.equal(nameBrowser(userAgent), name)
})

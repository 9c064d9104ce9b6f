import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAdmins } from './people.ts'

const person = { id: 'per_a', name: 'Ada', email: 'ada@example.com', createdAt: '', lastSeenAt: null, limitedKey: null }

test('each admin whose role came from a key with limits is named, with what to do', () => {
  const admin = { ...person, role: 'admin' as const }
  const marked = { ...admin, name: 'X', email: 'x@example.com', limitedKey: { id: 'key_a', name: 'CI' } }
  assert.deepEqual(checkAdmins([admin, { ...person, role: 'viewer' }]), [
    { about: 'admins', state: 'ok', says: '1; no role came from a key with limits' },
  ])
  const [finding, ...others] = checkAdmins([admin, marked])
  assert.equal(others.length, 0)
  assert.equal(finding?.state, 'warning')
  assert.match(finding.says, /^X \(x@example\.com\) is an admin because of the key CI \(key_a\)/)
  assert.match(finding.todo ?? '', /docent person remove x@example\.com .*docent person role x@example\.com admin/)
})

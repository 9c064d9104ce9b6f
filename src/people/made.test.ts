import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MadeEvent, type MadeKey, traceMade } from './made.ts'

const key = (id: string, limits: Partial<MadeKey> = {}): MadeKey => ({
  id,
  name: id,
  project_ids: null,
  allowed_addresses: null,
  expires_at: null,
  replaced_by: null,
  ...limits,
})
const event = (text: string): MadeEvent => {
  const [by = '', action = '', subject = ''] = text.split(' ')
  return { by, action, subject }
}
const trace = (keys: readonly MadeKey[], ...events: readonly string[]) => traceMade(events.map(event), keys)

const limited = [
  key('key_projects', { project_ids: ['prj_a'] }),
  key('key_addresses', { allowed_addresses: ['10.0.0.0/8'] }),
  key('key_time', { expires_at: new Date(0) }),
]

test('an admin whom a limited key invited, or gave the role, has that origin', () => {
  for (const { id } of limited) {
    const made = trace(
      limited,
      `${id} createInvitation inv_a`,
      'inv_a acceptInvitation per_a',
      `${id} invitePerson inv_b`,
      'inv_b acceptInvitation per_b',
      `${id} changeRole per_c`,
      'per_whole createInvitation inv_d',
      'inv_d acceptInvitation per_d',
    )
    for (const person of ['per_a', 'per_b', 'per_c']) assert.deepEqual(made.limitedKeyOf(person), { id, name: id })
    assert.equal(made.limitedKeyOf('per_d'), undefined)
  }
})

test('so has everything that was made with the rights of such an admin', () => {
  const made = trace(
    [...limited, key('key_whole'), key('key_new'), key('key_old', { replaced_by: 'key_new' })],
    'key_time changeRole per_a',
    'per_a createKey key_whole',
    'key_whole createInvitation inv_b',
    'inv_b acceptInvitation per_b',
    'per_a rotateKey key_old',
    'key_new changeRole per_c',
  )
  for (const id of ['key_whole', 'per_b', 'key_new', 'per_c']) assert.equal(made.limitedKeyOf(id)?.id, 'key_time', id)
})

test('an admin without that origin confirms a role, and nobody confirms their own', () => {
  const before = ['key_time changeRole per_a', 'per_a changeRole per_b', 'per_b changeRole per_a']
  assert.equal(trace(limited, ...before, 'per_a changeRole per_a').limitedKeyOf('per_a')?.id, 'key_time')
  const after = trace(limited, ...before, 'per_whole changeRole per_a')
  assert.equal(after.limitedKeyOf('per_a'), undefined)
  assert.equal(after.limitedKeyOf('per_b')?.id, 'key_time')
  const renewed = trace(limited, 'key_time createInvitation inv_a', 'per_whole createInvitation inv_a')
  assert.equal(renewed.limitedKeyOf('inv_a'), undefined)
})

test('the end that a rotation gives the old key is no limit', () => {
  const end = { expires_at: new Date(0) }
  const rotated = [key('key_a', { ...end, replaced_by: 'key_b' }), key('key_b', { ...end, replaced_by: 'key_c' })]
  const unlimited = trace([...rotated, key('key_c')], 'key_a changeRole per_a')
  assert.equal(unlimited.limitedKeyOf('per_a'), undefined)
  const ended = trace([...rotated, key('key_c', end)], 'key_a changeRole per_a')
  assert.equal(ended.limitedKeyOf('per_a')?.id, 'key_a')
})

test('the keys and invitations of a person are also those made with their keys', () => {
  const made = trace(
    [key('key_a'), key('key_b'), key('key_c', { replaced_by: 'key_d' }), key('key_d')],
    'per_a createKey key_a',
    'key_a createKey key_b',
    'per_b createKey key_c',
    'per_a rotateKey key_c',
    'per_a createInvitation inv_a',
    'key_b createInvitation inv_b',
    'per_a createInvitation inv_c',
    'per_b createInvitation inv_c',
    'per_a changeRole per_b',
  )
  assert.deepEqual(made.keysOf('per_a'), ['key_a', 'key_b', 'key_d'])
  assert.deepEqual(made.keysOf('per_b'), ['key_c'])
  assert.deepEqual(made.invitationsOf('per_a'), ['inv_a', 'inv_b'])
  assert.deepEqual(made.invitationsOf('per_b'), ['inv_c'])
})

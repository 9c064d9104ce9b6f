import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameInput } from './input-name.ts'

test('the brief, notes, messages and other notices have names that people know', () => {
  assert.equal(nameInput('brief'), 'Brief about the repository')
  assert.equal(nameInput('repository_notes'), "The repository's notes for agents")
  assert.equal(nameInput('new_run'), 'Notice: new run')
  assert.equal(nameInput(null), 'Message')
})

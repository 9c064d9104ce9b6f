import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sayRefused } from './refused.ts'

test('labels and reviewers that a forge refused are named, with a command', () => {
  const at = { forge: 'gitea', projectId: 'prj_1' } as const
  assert.deepEqual(sayRefused({ labels: [], reviewers: [] }, at), [])
  assert.deepEqual(sayRefused({ labels: ['docs', 'a\u001b[31m\nb'], reviewers: ['ada'] }, at), [
    'Gitea did not add the labels "docs", "a\ufffd[31m b": create it there, or name others: docent project update prj_1 --label NAME',
    'Gitea did not ask the reviewer "ada": a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: docent project update prj_1 --reviewer NAME',
  ])
  assert.deepEqual(sayRefused({ labels: ['docs'], reviewers: ['ada'] }, { ...at, forge: 'bitbucket' }), [
    'Bitbucket did not add the label "docs": it has none',
    'Bitbucket did not ask the reviewer "ada": name people by the id in the address of their profile; a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: docent project update prj_1 --reviewer NAME',
  ])
})

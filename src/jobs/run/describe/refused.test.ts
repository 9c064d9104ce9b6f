import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nothingRefused } from '../../../forge/forge.ts'
import { sayRefused } from './refused.ts'

test('labels and reviewers that a forge refused are named, with a command', () => {
  const at = { forge: 'gitea', projectId: 'prj_1' } as const
  assert.deepEqual(sayRefused(nothingRefused, at), [])
  assert.deepEqual(sayRefused({ ...nothingRefused, labels: ['docs', 'a\u001b[31m\nb'], reviewers: ['ada'] }, at), [
    'Gitea did not add the labels "docs", "a\ufffd[31m b": create it there, or name others: docent project update prj_1 --label NAME',
    'Gitea did not ask the reviewer "ada": a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: docent project update prj_1 --reviewer NAME',
  ])
  assert.deepEqual(
    sayRefused({ ...nothingRefused, labels: ['docs'], reviewers: ['ada'] }, { ...at, forge: 'bitbucket' }),
    [
      'Bitbucket did not add the label "docs": its pull requests have no labels',
      'Bitbucket did not ask the reviewer "ada": it knows people by the id in the address of their profile; a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: docent project update prj_1 --reviewer ID',
    ],
  )
  const others = { ...nothingRefused, assignees: ['ada', 'bob'], milestone: 'Docs 2', autoMerge: 'It has no checks.' }
  assert.deepEqual(sayRefused(others, { ...at, forge: 'gitlab' }), [
    'GitLab did not assign the accounts "ada", "bob": an assignee needs access to the repository, and some forges take only one. Name others: docent project update prj_1 --assignee NAME',
    'GitLab did not set the milestone "Docs 2": open it there, or name another: docent project update prj_1 --milestone NAME',
    'GitLab will not merge the pull request by itself: It has no checks.',
  ])
  const azure = { ...nothingRefused, reviewers: ['ada'], assignees: ['ada'], milestone: 'Docs 2' }
  assert.deepEqual(sayRefused(azure, { ...at, forge: 'azure' }), [
    'Azure DevOps did not ask the reviewer "ada": it knows people by their id, which `az devops user show --user EMAIL --organization URL --query id` prints; a reviewer needs access to the repository, and nobody reviews a pull request of their own. Name others: docent project update prj_1 --reviewer ID',
    'Azure DevOps did not assign the account "ada": its pull requests have no assignees',
    'Azure DevOps did not set the milestone "Docs 2": its pull requests have no milestones',
  ])
})

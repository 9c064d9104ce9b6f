// The adapters of forges against the loopback forges, one suite for all hosts, and the adapter of GitHub against
// `emulate`, which is an implementation of GitHub by people who do not know ours.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type ForgeKind, forgeKinds } from '../../src/forge/host.ts'
import { signal } from '../support/git-remote.ts'
import { cases, gitHubCases } from '../support/forge/host-cases.ts'
import { labCases } from '../support/forge/lab-cases.ts'
import { proposeCases, publishCases } from '../support/forge/propose-cases.ts'
import { emulatedSubject, loopbackSubject } from '../support/forge/subjects.ts'

/** By case: what `emulate` 0.12.2 does instead. */
const emulateLacks: Readonly<Record<string, string>> = {
  'a branch that has a pull request gets no second one': '201 for the second one',
  'a base that does not exist is named as the cause': '201 for a base that does not exist',
  'a label is added once': '403: it wants `issues: write`, where GitHub also takes `pull_requests: write`',
  'the head follows the branch': 'the head stays where it was when the pull request was opened',
}

/** On these nobody is assigned, and nothing is merged later. */
const lacksSettings = [
  'an account is assigned beside the ones before, and an unknown one is returned',
  'a milestone is set by its whole title, and an unknown one is not',
  'a pull request is merged by the host later, and only what it was asked for',
  'without checks to wait for nothing is merged, and the reason is said',
]

/** Cases about things that a host does not have. */
const lacks: Readonly<Partial<Record<ForgeKind, readonly string[]>>> = {
  bitbucket: [
    'a label is added once',
    'a locked pull request says so',
    'an archived repository is repository_archived',
    ...lacksSettings,
  ],
  azure: [
    'a locked pull request says so',
    // It forgets former names.
    'a renamed repository is repository_moved, and nothing is opened',
    // A page for signing in: see src/forge/azure/host.test.ts.
    'reading fails with forge_unavailable when the response is HTML with status 200 twice',
    ...lacksSettings,
  ],
}

for (const kind of forgeKinds) {
  suite(kind, () => {
    for (const { name, run } of [...cases, ...labCases, ...proposeCases]) {
      if (lacks[kind]?.includes(name) === true) continue
      test(name, async (t) => await run(await loopbackSubject(t, kind)))
    }
  })
}

suite('github only', () => {
  for (const { name, run } of gitHubCases) test(name, async (t) => await run(await loopbackSubject(t, 'github')))
  for (const { name, run } of publishCases) test(name, async (t) => await run(await loopbackSubject(t, 'github')))
})

suite('emulate', () => {
  for (const { name, run } of [...cases, ...gitHubCases]) {
    if (!(name in emulateLacks)) test(name, async (t) => await run(await emulatedSubject(t)))
  }
})

test('a token of an App that GitHub does not know everywhere yet is used again', async (t) => {
  const { host, forge } = await loopbackSubject(t, 'github', { refusesFresh: 4 })
  assert.deepEqual(await host.listByBranch('docent/x', signal()), [])
  const statuses = forge.requests.filter(({ route }) => route.endsWith('/pulls')).map(({ status }) => status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 200])
  assert.equal(forge.requests.filter(({ route }) => route.endsWith('/access_tokens')).length, 1)
})

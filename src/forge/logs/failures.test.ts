// The failed checks of a commit on every host, with the ends of their logs.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loopbackSubject } from '../../../test/support/forge/subjects.ts'
import type { Kind } from '../../../test/support/forge/world.ts'
import { type Cleanup, signal } from '../../../test/support/git-remote.ts'
import type { ForgeCheck, Known } from '../merging/merging.ts'

type Case = {
  /** The kind of verdict of a job of the forge's own. */
  readonly job: 'check' | 'status'
  readonly failed: string
  /** Red, and no failure. */
  readonly cancelled: string
  readonly pending: string
}

const cases = {
  github: { job: 'check', failed: 'failure', cancelled: 'cancelled', pending: 'in_progress' },
  gitlab: { job: 'status', failed: 'failed', cancelled: 'canceled', pending: 'running' },
  gitea: { job: 'status', failed: 'failure', cancelled: 'warning', pending: 'pending' },
  bitbucket: { job: 'status', failed: 'FAILED', cancelled: 'STOPPED', pending: 'INPROGRESS' },
  azure: { job: 'check', failed: 'rejected', cancelled: 'rejected', pending: 'running' },
} as const satisfies Readonly<Record<Kind, Case>>

async function opened(t: Cleanup, kind: Kind) {
  const subject = await loopbackSubject(t, kind)
  const { host, forge } = subject
  const head = await subject.commit('docent/1', { 'a.md': 'a' })
  const pull = { title: 'Say more', body: 'Because.', base: 'main', branch: 'docent/1', draft: false }
  const created = await host.create(pull, signal())
  assert(created.kind === 'created')
  const { number } = created.pull
  const checks = async () => valueOf(await host.merging.checks({ number, head }, signal()))
  return { forge, remarks: forge.remarks, head, checks }
}

function valueOf(checks: Known<readonly ForgeCheck[]>): readonly ForgeCheck[] {
  return checks.kind === 'known' ? checks.value : assert.fail(checks.reason)
}

const log = 'Step 1\nERROR: page-two.md does not exist\n'

for (const kind of ['github', 'gitlab', 'gitea', 'bitbucket', 'azure'] as const) {
  const { job, failed, cancelled, pending } = cases[kind]
  suite(kind, () => {
    test('a job that failed has its page and the end of its log', async (t) => {
      const { forge, remarks, head, checks } = await opened(t, kind)
      remarks.verdict(job, head, { state: failed, log })
      remarks.verdict(job, head, { name: 'other', state: pending })
      const [failure, ...rest] = (await checks()).flatMap((check) => check.failure ?? [])
      assert(failure && rest.length === 0)
      assert.equal(await failure.readLog(signal()), log)
      if (kind !== 'gitlab') assert.equal(new URL(failure.link ?? '').origin, forge.web)
    })

    test('without a log, the words of the check are left', async (t) => {
      const { remarks, head, checks } = await opened(t, kind)
      remarks.verdict('status', head, { state: kind === 'azure' ? 'failed' : failed })
      const [failure] = (await checks()).flatMap((check) => check.failure ?? [])
      assert.equal(failure?.description, 'It ran')
      assert.equal(await failure?.readLog(signal()), undefined)
    })

    test('a check that was cancelled, or has not finished, is no failure', async (t) => {
      const { remarks, head, checks } = await opened(t, kind)
      remarks.verdict(job, head, { state: cancelled })
      remarks.verdict(job, head, { name: 'other', state: pending })
      const found = await checks()
      assert.deepEqual(found.map(({ state }) => state).toSorted(), ['pending', 'red'])
      assert.deepEqual(
        found.flatMap((check) => check.failure ?? []),
        [],
      )
    })
  })
}

test('a check run of another App has its annotations in the place of a log', async (t) => {
  const { remarks, head, checks } = await opened(t, 'github')
  remarks.verdict('check', head, { state: 'failure' })
  const [failure] = (await checks()).flatMap((check) => check.failure ?? [])
  const words = 'docs/index.md:3: failure: Broken link: page-two.md does not exist'
  assert.equal(await failure?.readLog(signal()), words)
})

test('a log that the token may not read is replaced by annotations', async (t) => {
  const { forge, remarks, head, checks } = await opened(t, 'github')
  remarks.verdict('check', head, { state: 'failure', log })
  forge.fault = ({ route }) => (route.endsWith('/logs') ? { kind: 'answer', status: 403, body: '{}' } : undefined)
  const [failure] = (await checks()).flatMap((check) => check.failure ?? [])
  assert.match((await failure?.readLog(signal())) ?? '', /Broken link/)
})

test('a job that may fail is no failure on GitLab', async (t) => {
  const { forge, remarks, head, checks } = await opened(t, 'gitlab')
  remarks.verdict('status', head, { state: 'failed', log })
  forge.fault = ({ route }) => {
    const row = { id: 1, name: 'lint', status: 'failed', allow_failure: true }
    return route.endsWith('/statuses') ? { kind: 'answer', status: 200, body: JSON.stringify([row]) } : undefined
  }
  const [check] = await checks()
  assert.deepEqual(check, { name: 'lint', state: 'red' })
})

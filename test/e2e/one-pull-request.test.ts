// The step that proposes, through the adapter of each host, while a third of all requests fails before or after its
// effect and two runners meet on each branch.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgeKinds } from '../../src/forge/host.ts'
import { type HostProposal, proposeOnHost } from '../../src/forge/propose.ts'
import { createTurns } from '../../src/forge/turns.ts'
import { type TestForge, startForge } from '../support/forge/forge.ts'
import type { ForgeFault } from '../support/forge/server.ts'
import { tokenHost } from '../support/forge/subjects.ts'
import { signal } from '../support/git-remote.ts'
import { createHastyClock } from '../support/memory-host.ts'
import { createRandom } from '../support/random.ts'

const faults: readonly [ForgeFault, ...ForgeFault[]] = [
  { kind: 'reset' },
  { kind: 'lose answer' },
  { kind: 'answer', status: 502, body: '<html>Bad gateway' },
  { kind: 'answer after', status: 502, body: '<html>Bad gateway' },
  { kind: 'answer after', status: 201, body: '<html>Maintenance' },
  { kind: 'truncate' },
  { kind: 'answer', status: 429, headers: { 'retry-after': '3' }, body: 'Slow down' },
]

const worlds = [
  ...forgeKinds.map((kind) => ({ kind, hasUniqueRule: true })),
  { kind: 'gitea' as const, hasUniqueRule: false },
  { kind: 'bitbucket' as const, hasUniqueRule: false },
  { kind: 'azure' as const, hasUniqueRule: false },
]

for (const { kind, hasUniqueRule } of worlds) {
  const rule = hasUniqueRule ? 'a rule' : 'no rule'
  test(`${kind} with ${rule} against doubles: one open pull request for each branch`, async (t) => {
    const forge = await startForge(t, { kind, switches: { hasUniqueRule } })
    const jobs = Array.from({ length: 4 }, (_, at) => proposalOf(forge, `job_${at}`))
    const random = createRandom(11)
    forge.fault = () => (random.chance(0.3) ? random.pick(faults) : undefined)
    const numbers = await Promise.all(
      jobs.map(async (job) => await Promise.all([propose(forge, job), propose(forge, job)])),
    )
    forge.fault = undefined
    assert.ok(forge.requests.length > jobs.length * 4)
    for (const [at, { branch }] of jobs.entries()) {
      const open = forge.pulls.filter((pull) => pull.branch === branch && pull.state === 'open')
      assert.equal(open.length, 1, branch)
      assert.deepEqual(numbers[at], [open[0]?.number, open[0]?.number], branch)
      const mark = kind === 'bitbucket' ? "Docent's facts begin here." : `docent:job=job_${at} `
      assert.ok(open[0]?.body.includes(mark))
    }
  })
}

function proposalOf(forge: TestForge, jobId: string): HostProposal {
  const branch = `docent/${jobId}`
  forge.push(branch, { [`${jobId}.md`]: jobId })
  const text = { title: `Fix ${jobId}`, note: '', text: 'Because.', facts: '- 1 page changed' }
  return { ...text, jobId, draft: false, branch, base: 'main', headCommit: '', labels: [], reviewers: [] }
}

/** As a process of its own does it: nothing is shared with the other runner. */
async function propose(forge: TestForge, proposal: HostProposal): Promise<number | undefined> {
  const host = tokenHost(forge, forge.createToken().value)
  const context = { host, checkClaim: async () => {}, turns: createTurns(), clock: createHastyClock() }
  return (await proposeOnHost({ ...context, deadlineMs: 1e9 }, proposal, signal()))?.pull.number
}

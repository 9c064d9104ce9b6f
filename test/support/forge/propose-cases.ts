// The part of the suite of adapters in which a run proposes: whatever response is lost, a branch ends with one open
// pull request, and the branch with one commit of the run.

import assert from 'node:assert/strict'
import type { HostProposal } from '../../../src/forge/propose.ts'
import { proposeOnHost } from '../../../src/forge/propose.ts'
import { createTurns } from '../../../src/forge/turns.ts'
import { createHastyClock } from '../memory-host.ts'
import { signal } from '../git-remote.ts'
import type { Case } from './host-cases.ts'
import type { ForgeFault, SeenRequest } from './server.ts'
import type { LoopbackSubject } from './subjects.ts'

const proposal: HostProposal = {
  jobId: 'job_1',
  title: 'Say more',
  note: '',
  text: 'Says more.',
  facts: '- 1 page changed',
  draft: false,
  branch: 'docent/job_1',
  base: 'main',
  headCommit: 'head',
  labels: ['docs'],
  reviewers: ['grace'],
}

const faults: readonly ForgeFault[] = [
  { kind: 'reset' },
  { kind: 'lose answer' },
  { kind: 'truncate' },
  { kind: 'cut', bytes: 30 },
  { kind: 'answer', status: 502, body: '<html>Bad gateway' },
  { kind: 'answer after', status: 502, body: '<html>Bad gateway' },
  { kind: 'answer after', status: 201, body: '<html>Maintenance' },
  { kind: 'answer', status: 429, headers: { 'Retry-After': '7' }, body: '{"message":"slow down"}' },
]

async function propose({ host }: LoopbackSubject, given: HostProposal): Promise<number | undefined> {
  const context = { host, checkClaim: () => Promise.resolve(), turns: createTurns(), clock: createHastyClock() }
  return (await proposeOnHost({ ...context, deadlineMs: 1e9 }, given, signal()))?.pull.number
}

function openOf({ forge }: LoopbackSubject, branch: string): readonly number[] {
  return forge.pulls.filter((pull) => pull.branch === branch && pull.state === 'open').map(({ number }) => number)
}

const isWrite = ({ method }: SeenRequest) => method !== 'GET'

export const proposeCases: readonly Case<LoopbackSubject>[] = [
  {
    name: 'a note that comes later makes the open pull request a draft',
    run: async (subject) => {
      const { forge } = subject
      forge.push(proposal.branch, { 'a.md': 'more' })
      const number = await propose(subject, proposal)
      const [pull] = forge.pulls
      assert.deepEqual([pull?.draft, pull?.title], [false, 'Say more'])
      const note = 'A draft: the configuration calls code.'
      // GitLab and Gitea change title and text together, GitHub needs a mutation first.
      let isLost = false
      forge.fault = (request) => {
        if (isLost || !isWrite(request)) return undefined
        isLost = true
        return { kind: 'lose answer' }
      }
      assert.equal(await propose(subject, { ...proposal, draft: true, note }), number)
      const prefixes: Readonly<Record<string, string>> = { gitlab: 'Draft: ', gitea: 'WIP: ' }
      assert.deepEqual([pull?.draft, pull?.title, isLost], [true, `${prefixes[forge.kind] ?? ''}Say more`, true])
      const isPlain = forge.kind === 'bitbucket'
      const begin = isPlain ? "Docent's note begins here.\n\n" : '<!-- docent:note -->\n'
      assert.equal(pull?.body.startsWith(`${begin}A draft: `), true)
    },
  },
  ...faults.map((fault) => ({
    name: `one pull request when the first write meets: ${'status' in fault ? fault.status : ''} ${fault.kind}`,
    run: async (subject: LoopbackSubject) => {
      const { forge } = subject
      forge.push(proposal.branch, { 'a.md': 'more' })
      let isOver = false
      forge.fault = (request) => {
        if (isOver || !isWrite(request)) return undefined
        isOver = true
        return fault
      }
      const number = await propose(subject, proposal)
      assert.deepEqual([isOver, openOf(subject, proposal.branch)], [true, [number]])
      assert.equal(forge.pulls.length, 1)
    },
  })),
  {
    name: 'one is left open when the host has no rule against doubles, and lists lag',
    run: async (subject) => {
      const { forge } = subject
      forge.push(proposal.branch, { 'a.md': 'more' })
      Object.assign(forge.switches, { hasUniqueRule: false, lag: 1 })
      const [one, other] = await Promise.all([propose(subject, proposal), propose(subject, proposal)])
      await propose(subject, proposal)
      assert.equal(openOf(subject, proposal.branch).length, 1)
      assert([one, other].includes(openOf(subject, proposal.branch)[0]))
    },
  },
  {
    name: 'a branch without a change opens nothing',
    run: async (subject) => {
      await subject.createBranch(proposal.branch)
      assert.equal(await propose(subject, proposal), undefined)
      assert.equal(subject.forge.pulls.length, 0)
    },
  },
  {
    name: 'a pull request that was merged before its number was stored is found',
    run: async (subject) => {
      const { forge } = subject
      forge.push(proposal.branch, { 'a.md': 'more' })
      const number = await propose(subject, proposal)
      forge.merge(number ?? 0)
      assert.equal(await propose(subject, proposal), number)
      assert.equal(forge.pulls.length, 1)
    },
  },
]

/** GitHub: the requests of one publication, each of which may lose its response. */
const publishing = [
  'GET /repos/:owner/:repo/git/ref/*ref',
  'POST /repos/:owner/:repo/git/commits',
  'POST /repos/:owner/:repo/git/refs',
  'PATCH /repos/:owner/:repo/git/refs/*ref',
] as const

export const publishCases: readonly Case<LoopbackSubject>[] = publishing.map((route) => ({
  name: `one commit on the branch when the response is lost of ${route}`,
  run: async ({ host, forge }: LoopbackSubject) => {
    const branch = 'docent/job_1'
    const isFirst = !route.startsWith('PATCH')
    const main = forge.remote.head('main') ?? ''
    const before = isFirst ? null : forge.push(branch, { 'b.md': 'before' })
    const parent = before ?? main
    const pushed = forge.push('scratch', { 'a.md': 'more' })
    const tree = forge.remote.git(['rev-parse', `${pushed}^{tree}`])
    forge.failOnce(route, { kind: 'lose answer' })
    const input = { branch, expected: before, parent, tree, message: 'Say more\n\nDocent-Run: run_1' }
    const publish = async () => await host.commits?.publish(input, signal())
    const first = await publish().catch(() => undefined)
    const second = await publish()
    assert(second?.kind === 'published' && second.isVerified)
    if (first) assert.deepEqual(first, second)
    assert.equal(forge.remote.head(branch), second.commit)
    assert.equal(forge.remote.git(['rev-list', '--count', `${parent}..${branch}`]), '1')
  },
}))

// The part of the suite of adapters in which people, faults and limits meet the adapter.

import assert from 'node:assert/strict'
import { signal } from '../git-remote.ts'
import { type Case, open, refuses } from './host-cases.ts'
import { type LoopbackSubject, tokenHost } from './subjects.ts'
import type { ForgeFault } from './server.ts'

const branch = 'docent/say-more'
const proposal = { title: 'Say more', body: 'Because.', base: 'main', branch, draft: false }

const creating = {
  github: 'POST /repos/:owner/:repo/pulls',
  gitlab: 'POST /projects/:project/merge_requests',
  gitea: 'POST /repos/:owner/:repo/pulls',
  bitbucket: 'POST /repositories/:workspace/:repo_slug/pullrequests',
  azure: 'POST /:organization/:project/_apis/git/repositories/:repositoryId/pullrequests',
} as const
const reading = {
  github: 'GET /repos/:owner/:repo/pulls/:pull_number',
  gitlab: 'GET /projects/:project/merge_requests/:iid',
  gitea: 'GET /repos/:owner/:repo/pulls/:number',
  bitbucket: 'GET /repositories/:workspace/:repo_slug/pullrequests/:pull_request_id',
  azure: 'GET /:organization/:project/_apis/git/repositories/:repositoryId/pullrequests/:pullRequestId',
} as const

/** In all of these the pull request was made, or may have been. */
const lostResponses: readonly (readonly [name: string, fault: ForgeFault, made: number])[] = [
  ['the connection is reset after the effect', { kind: 'lose answer' }, 1],
  ['a proxy sends HTML after the effect', { kind: 'answer after', status: 502, body: '<html>Bad gateway' }, 1],
  ['a proxy sends HTML as a success', { kind: 'answer after', status: 201, body: '<html>Maintenance' }, 1],
  ['the JSON is truncated', { kind: 'truncate' }, 1],
  ['the body is cut', { kind: 'cut', bytes: 20 }, 1],
  ['a proxy refuses before the effect', { kind: 'answer', status: 502, body: '<html>' }, 0],
  ['the connection is reset before the effect', { kind: 'reset' }, 0],
]

const unreadable: readonly (readonly [name: string, fault: ForgeFault])[] = [
  ['is reset', { kind: 'reset' }],
  ['is HTML with status 502', { kind: 'answer', status: 502, body: '<html>' }],
  ['is HTML with status 200', { kind: 'answer after', status: 200, body: '<html>' }],
  ['is truncated', { kind: 'truncate' }],
  ['is cut', { kind: 'cut', bytes: 10 }],
]

const faults: readonly Case<LoopbackSubject>[] = [
  ...lostResponses.map(([name, fault, made]) => ({
    name: `a create has an unknown effect when ${name}`,
    run: async ({ host, forge }: LoopbackSubject) => {
      forge.push(branch, { 'a.md': 'more' })
      forge.failOnce(creating[forge.kind], fault)
      assert.deepEqual(await host.create(proposal, signal()), { kind: 'unknown_effect' })
      assert.equal(forge.pulls.length, made)
      assert.equal((await host.listByBranch(branch, signal())).length, made)
    },
  })),
  ...unreadable.map(([name, fault]) => ({
    name: `reading fails with forge_unavailable when the response ${name} twice`,
    run: async (subject: LoopbackSubject) => {
      const { number } = await open(subject)
      const fail = () => subject.forge.failOnce(reading[subject.forge.kind], fault)
      fail()
      assert.equal((await subject.host.get(number, signal()))?.number, number)
      fail()
      fail()
      await refuses('forge_unavailable', subject.host.get(number, signal()))
      assert.equal((await subject.host.get(number, signal()))?.number, number)
    },
  })),
  {
    name: 'a limit of writes is forge_rate_limited, with the time to wait',
    run: async (subject) => {
      const { host, forge } = subject
      const { number } = await open(subject)
      forge.switches.writesPerMinute = 0
      const failure = await refuses('forge_rate_limited', host.update(number, { title: 'Say less' }, signal()))
      assert((failure.retryAfter ?? 0) > 0 && (failure.retryAfter ?? 0) <= 60)
      forge.push('docent/other', { 'b.md': 'other' })
      await refuses('forge_rate_limited', host.create({ ...proposal, branch: 'docent/other' }, signal()))
      assert.equal(forge.pull(number).title, 'Say more')
      forge.advance(60_000)
      forge.switches.writesPerMinute = 10
      assert.equal((await host.update(number, { title: 'Say less' }, signal())).title, 'Say less')
    },
  },
]

const people: readonly Case<LoopbackSubject>[] = [
  {
    name: 'a merge by a person shows, with its time',
    run: async (subject) => {
      const { number } = await open(subject)
      subject.forge.merge(number)
      const pull = await subject.host.get(number, signal())
      assert.equal(pull?.state, 'merged')
      assert.equal(new Date(pull.mergedAt ?? '').toISOString(), pull.mergedAt)
      assert.equal((await subject.host.listByBranch(branch, signal()))[0]?.state, 'merged')
    },
  },
  {
    name: 'a pull request of a fork with the same branch is not ours',
    run: async (subject) => {
      subject.forge.openFromFork(branch)
      const { number } = await open(subject)
      const found = await subject.host.listByBranch(branch, signal())
      assert.deepEqual(
        found.map((pull) => pull.number),
        [number],
      )
      assert.equal((await subject.host.get(1, signal()))?.isOwn, false)
    },
  },
  {
    name: 'pull requests beyond the first page are found',
    run: async (subject) => {
      const { number } = await open(subject)
      for (let at = 0; at < 120; at += 1) subject.forge.openFromFork(at % 2 === 0 ? branch : 'other')
      assert.deepEqual(
        (await subject.host.listByBranch(branch, signal())).map((pull) => pull.number),
        [number],
      )
    },
  },
  {
    name: 'polling says unchanged until something changes, where the host can',
    run: async (subject) => {
      const { host, forge } = subject
      const { number } = await open(subject)
      await host.get(number, signal())
      const first = await host.poll(number, null, signal())
      assert(first.kind === 'pull')
      const again = await host.poll(number, first.etag, signal())
      assert.equal(again.kind, first.etag === null ? 'pull' : 'unchanged')
      assert.equal(first.etag === null, ['gitea', 'bitbucket', 'azure'].includes(forge.kind))
      forge.close(number)
      const closed = await host.poll(number, first.etag, signal())
      assert.equal(closed.kind === 'pull' && closed.pull.state, 'closed')
    },
  },
  {
    name: 'a locked pull request says so',
    run: async (subject) => {
      const { number } = await open(subject)
      subject.forge.lock(number)
      assert.equal((await subject.host.get(number, signal()))?.isLocked, true)
    },
  },
]

const states: readonly Case<LoopbackSubject>[] = [
  {
    name: 'a renamed repository is repository_moved, and nothing is opened',
    run: async (subject) => {
      const { number } = await open(subject)
      subject.forge.push('docent/other', { 'a.md': 'other' })
      subject.forge.rename('acme/handbook')
      await refuses('repository_moved', subject.host.create({ ...proposal, branch: 'docent/other' }, signal()))
      await refuses('repository_moved', subject.host.update(number, { title: 'x' }, signal()))
      assert.equal(subject.forge.pulls.length, 1)
    },
  },
  {
    name: 'an archived repository is repository_archived',
    run: async (subject) => {
      const { number } = await open(subject)
      subject.forge.switches.isArchived = true
      const expected = ['repository_archived', 'forge_right_missing'] as const
      await refuses(expected, subject.host.update(number, { title: 'x' }, signal()))
    },
  },
  {
    name: 'a deleted repository cannot be reached',
    run: async (subject) => {
      subject.forge.switches.isDeleted = true
      const expected = ['repository_unreachable', 'repository_unauthorized'] as const
      await refuses(expected, subject.host.listByBranch(branch, signal()))
    },
  },
  {
    name: 'a revoked credential is repository_unauthorized',
    run: async (subject) => {
      await open(subject)
      const { forge } = subject
      const token = forge.createToken()
      const host = tokenHost(forge, token.value)
      assert.equal((await host.listByBranch(branch, signal())).length, 1)
      forge.revoke(token)
      await refuses('repository_unauthorized', host.listByBranch(branch, signal()))
    },
  },
  {
    name: 'a credential that lacks a right is told which one, before anything is opened',
    run: async ({ forge }) => {
      forge.push(branch, { 'a.md': 'more' })
      const all = await tokenHost(forge, forge.createToken().value).access({}, signal())
      // Azure DevOps does not say.
      const granted = forge.kind === 'azure' ? 'unknown' : 'yes'
      assert.deepEqual([all.rights.read, all.rights.pullRequests, all.missing], ['yes', granted, []])
      const reader = tokenHost(forge, forge.createToken({ rights: ['read', 'push'] }).value)
      const some = await reader.access({}, signal())
      assert.equal(some.rights.read, 'yes')
      await refuses('forge_right_missing', reader.create(proposal, signal()))
      if (forge.kind !== 'gitea' && forge.kind !== 'azure') {
        assert.equal(some.rights.pullRequests, 'no')
        assert.deepEqual(
          some.missing.map(({ right }) => right),
          ['pullRequests'],
        )
      }
      assert.equal(forge.pulls.length, 0)
    },
  },
]

const decorating: readonly Case<LoopbackSubject>[] = [
  {
    name: 'an account is assigned beside the ones before, and an unknown one is returned',
    run: async (subject) => {
      const { host, forge } = subject
      const { number } = await open(subject)
      forge.pull(number).assignees.push('ada')
      assert.deepEqual(await host.assign(number, ['grace', 'nobody'], signal()), ['nobody'])
      assert.deepEqual(forge.pull(number).assignees.toSorted(), ['ada', 'grace'])
      assert.deepEqual(await host.assign(number, ['nobody'], signal()), ['nobody'])
    },
  },
  {
    name: 'a milestone is set by its whole title, and an unknown one is not',
    run: async (subject) => {
      const { host, forge } = subject
      const { number } = await open(subject)
      assert.equal(await host.setMilestone(number, 'Docs', signal()), false)
      assert.equal(forge.pull(number).milestone, null)
      assert.equal(await host.setMilestone(number, 'Docs 2', signal()), true)
      assert.equal(forge.pull(number).milestone, 'Docs 2')
    },
  },
  {
    name: 'a pull request is merged by the host later, and only what it was asked for',
    run: async (subject) => {
      const { host, forge } = subject
      const { number, head } = await open(subject)
      const other = await host.mergeLater({ number, head: '0'.repeat(40) }, signal())
      assert.deepEqual([other.kind, forge.pull(number).autoMerge], ['refused', false])
      assert.deepEqual(await host.mergeLater({ number, head: head.commit }, signal()), { kind: 'set' })
      assert.deepEqual([forge.pull(number).autoMerge, forge.pull(number).state], [true, 'open'])
    },
  },
  {
    name: 'without checks to wait for nothing is merged, and the reason is said',
    run: async (subject) => {
      const { host, forge } = subject
      const { number, head } = await open(subject)
      forge.switches.requiredChecks = []
      const answer = await host.mergeLater({ number, head: head.commit }, signal())
      assert(answer.kind !== 'set')
      assert.match(answer.reason, /requires no|No pipeline/)
      forge.switches.requiredChecks = ['build']
      forge.switches.allowsAutoMerge = false
      const second = await host.mergeLater({ number, head: head.commit }, signal())
      assert(second.kind === 'refused')
      assert.match(second.reason, /Turn on "Allow auto-merge" at http|may not merge|not allowed to merge/)
      assert.equal(forge.pull(number).autoMerge, false)
    },
  },
]

export const labCases: readonly Case<LoopbackSubject>[] = [...decorating, ...faults, ...people, ...states]

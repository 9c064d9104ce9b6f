// The suite of adapters: what `ForgeHost` promises, in cases that hold for every host. `lab` cases need a forge that
// people and faults can reach into; the others also run against somebody else's GitHub.

import assert from 'node:assert/strict'
import type { Created, HostedPull, NewPull } from '../../../src/forge/host.ts'
import { Failure, type FailureCode } from '../../../src/lib/failure.ts'
import { signal } from '../git-remote.ts'
import type { LoopbackSubject, Subject } from './subjects.ts'

export type Case<S extends Subject = Subject> = { readonly name: string; readonly run: (subject: S) => Promise<void> }

const branch = 'docent/say-more'
const proposal: NewPull = { title: 'Say more', body: 'Because.', base: 'main', branch, draft: false }

export async function open(subject: Subject, given: Partial<NewPull> = {}): Promise<HostedPull> {
  await subject.commit(given.branch ?? branch, { 'a.md': `more ${given.branch}` })
  const made = await subject.host.create({ ...proposal, ...given }, signal())
  assert(made.kind === 'created', made.kind)
  return made.pull
}

export async function refuses(code: FailureCode | readonly FailureCode[], work: Promise<unknown>): Promise<Failure> {
  const failure: unknown = await work.then(
    (value) => assert.fail(`it should have failed, and gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  assert(failure instanceof Failure, String(failure))
  assert([code].flat().includes(failure.code), `${failure.code}: ${failure.message}`)
  return failure
}

export const cases: readonly Case[] = [
  {
    name: 'a created pull request is found by branch, by number and by polling',
    run: async (subject) => {
      const { host, web } = subject
      const made = await open(subject)
      const { title, body, base, state, draft, isOwn, mergedAt } = made
      assert.deepEqual([title, body, base, made.head.branch], ['Say more', 'Because.', 'main', branch])
      assert.deepEqual([state, draft, isOwn, mergedAt], ['open', false, true, null])
      assert.equal(new URL(made.link).origin, web)
      assert.deepEqual(await host.get(made.number, signal()), made)
      assert.deepEqual(await host.listByBranch(branch, signal()), [made])
      const polled = await host.poll(made.number, null, signal())
      assert.deepEqual(polled.kind === 'pull' && polled.pull, made)
    },
  },
  {
    name: 'an edit changes title, body and base',
    run: async (subject) => {
      const { number } = await open(subject)
      await subject.createBranch('next')
      const change = { title: 'Say less', body: 'It was long.', base: 'next' }
      const edited = await subject.host.update(number, change, signal())
      assert.deepEqual([edited.title, edited.body, edited.base], ['Say less', 'It was long.', 'next'])
      const only = await subject.host.update(number, { body: 'Short.' }, signal())
      assert.deepEqual([only.title, only.body, only.base], ['Say less', 'Short.', 'next'])
    },
  },
  {
    name: 'a draft stays a draft, and its title stays as it was given',
    run: async (subject) => {
      const made = await open(subject, { draft: true })
      assert.deepEqual([made.draft, made.title], [true, 'Say more'])
      const edited = await subject.host.update(made.number, { title: 'Say less' }, signal())
      assert.deepEqual([edited.draft, edited.title], [true, 'Say less'])
    },
  },
  {
    name: 'closing twice closes once, and a pull request that is not there is gone',
    run: async (subject) => {
      const { host } = subject
      const { number } = await open(subject)
      await host.close(number, signal())
      await host.close(number, signal())
      assert.equal((await host.get(number, signal()))?.state, 'closed')
      assert.equal(await host.get(4_000, signal()), undefined)
      assert.equal((await host.poll(4_000, null, signal())).kind, 'gone')
    },
  },
  {
    name: 'other branches are not in the list of a branch',
    run: async (subject) => {
      const first = await open(subject, { branch: 'docent/one' })
      const second = await open(subject, { branch: 'docent/two' })
      const numbers = async (name: string) =>
        (await subject.host.listByBranch(name, signal())).map((pull) => pull.number)
      assert.deepEqual(await numbers('docent/one'), [first.number])
      assert.deepEqual(await numbers('docent/two'), [second.number])
      assert.deepEqual(await numbers('docent/three'), [])
    },
  },
  {
    name: 'a branch that has a pull request gets no second one',
    run: async (subject) => {
      await open(subject)
      assert.deepEqual(await subject.host.create(proposal, signal()), { kind: 'exists' } satisfies Created)
    },
  },
  {
    name: 'a base that does not exist is named as the cause',
    run: async (subject) => {
      await subject.commit(branch, { 'a.md': 'more' })
      await refuses('base_not_found', subject.host.create({ ...proposal, base: 'none' }, signal()))
    },
  },
  {
    name: 'the head follows the branch',
    run: async (subject) => {
      const { number } = await open(subject)
      const commit = await subject.commit(branch, { 'a.md': 'even more' })
      assert.equal((await subject.host.get(number, signal()))?.head.commit, commit)
    },
  },
  {
    name: 'a label is added once',
    run: async (subject) => {
      const { host } = subject
      const { number } = await open(subject)
      assert.deepEqual(await host.addLabels(number, ['docs'], signal()), [])
      assert.deepEqual(await host.addLabels(number, ['docs', 'documentation'], signal()), [])
    },
  },
  {
    name: 'a reviewer is asked, and an unknown one is returned',
    run: async (subject) => {
      const { number } = await open(subject)
      const reviewers = [subject.grace, 'nobody']
      assert.deepEqual(await subject.host.requestReviewers(number, reviewers, signal()), ['nobody'])
    },
  },
]

export const gitHubCases: readonly Case[] = [
  {
    name: 'a commit is made from a pushed tree, once, although it is published twice',
    run: async (subject) => {
      const { host } = subject
      const pushed = await subject.commit('scratch', { 'a.md': 'more' })
      const { parent, tree } = await readCommit(subject, pushed)
      const input = { branch, expected: null, parent, tree, message: 'Say more\n\nDocent-Run: run_1' }
      const first = await host.commits?.publish(input, signal())
      assert(first?.kind === 'published')
      assert.deepEqual(await host.commits?.publish(input, signal()), first)
      const other = await host.commits?.publish({ ...input, message: 'Say more\n\nDocent-Run: run_2' }, signal())
      assert.deepEqual(other, { kind: 'moved', head: first.commit })
    },
  },
]

async function readCommit(subject: Subject, sha: string): Promise<{ readonly parent: string; readonly tree: string }> {
  if ('forge' in subject) {
    const { remote } = (subject as LoopbackSubject).forge
    const [parent = '', tree = ''] = remote.git(['show', '-s', '--format=%P%n%T', sha]).split('\n')
    return { parent, tree }
  }
  const response = await fetch(`${subject.web}/repos/acme/docs/git/commits/${sha}`)
  const found = (await response.json()) as { tree: { sha: string }; parents: { sha: string }[] }
  return { parent: found.parents[0]?.sha ?? '', tree: found.tree.sha }
}

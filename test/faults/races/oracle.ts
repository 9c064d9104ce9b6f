// Holds the end of a race against what people did: nothing of theirs is lost, nothing is proposed twice, and the job says
// what is on the forge.

import assert from 'node:assert/strict'
import type { JobResponse } from '../../../src/jobs/response.ts'
import type { TestForge } from '../../support/forge/forge.ts'
import type { Client } from '../../support/service.ts'
import type { People } from './people.ts'

export type Raced = {
  readonly forge: TestForge
  readonly people: People
  readonly client: Client
  readonly job: JobResponse
  /** The pages of the acknowledged messages. */
  readonly pages: readonly string[]
}

export async function assertTrue(raced: Raced): Promise<void> {
  assertKept(raced)
  assertProposedOnce(raced)
  assertPages(raced)
  await assertState(raced)
}

const git = ({ forge }: Pick<Raced, 'forge'>, ...args: string[]) => forge.remote.git(args)
const listed = (text: string) => text.split('\n').filter((line) => line !== '')

/** Nothing of people is lost. */
function assertKept(raced: Raced): void {
  const { forge, people } = raced
  const { kept } = people
  const contains = (ref: string, commit: string) => git(raced, 'merge-base', commit, ref) === commit
  for (const commit of kept.onBases.get('trunk') ?? [])
    assert.ok(contains(people.trunk(), commit), 'a commit on the base')
  for (const [branch, commits] of kept.onBranches) {
    for (const commit of commits) assert.ok(contains(branch, commit), `a commit of people on ${branch}`)
  }
  for (const branch of kept.deleted) assert.equal(forge.remote.head(branch), null, `${branch} was deleted`)
  for (const [number, words] of kept.words)
    assert.ok(forge.pull(number).body.includes(words), `the words in #${number}`)
  for (const [number, base] of kept.bases) assert.equal(forge.pull(number).base, base, `the base of #${number}`)
}

function assertProposedOnce(raced: Raced): void {
  const { forge, job, people } = raced
  const branches = forge.pulls.map(({ branch }) => branch)
  assert.deepEqual(branches, [...new Set(branches)], 'a branch has one pull request')
  const open = forge.pulls.filter(({ number, state }) => state === 'open' && !people.kept.reopened.has(number))
  assert.ok(
    open.every(({ number }) => number === job.pullRequest?.number),
    'one is open',
  )
  const pull = forge.pull(job.pullRequest?.number ?? 0)
  const again = listed(git(raced, 'diff', '--name-only', `${pull.base}...${pull.branch}`)).filter((path) =>
    path.startsWith('page-'),
  )
  const merged = new Set(listed(git(raced, 'ls-tree', '--name-only', pull.base)))
  assert.deepEqual(
    again.filter((path) => merged.has(path)),
    [],
    'what is merged is not proposed again',
  )
  const runs = listed(
    git(raced, 'log', '--format=%(trailers:key=Docent-Job,valueonly)', `${pull.base}..${pull.branch}`),
  )
  assert.equal(new Set(runs).size, runs.length, 'one commit for a run')
  assert.equal(git(raced, 'for-each-ref', 'refs/docent'), '', 'no temporary ref is left')
}

/** Each change is on a base or in the pull request of the job, unless people rejected it. */
function assertPages(raced: Raced): void {
  const { forge, job, people, pages } = raced
  const refs = [people.trunk(), 'next', job.source.ref ?? ''].filter((ref) => forge.remote.head(ref) !== null)
  const there = new Set(refs.flatMap((ref) => listed(git(raced, 'ls-tree', '--name-only', ref))))
  for (const page of pages) assert.ok(there.has(page) || people.kept.rejected.has(page), `${page} is lost`)
}

async function assertState(raced: Raced): Promise<void> {
  const { forge, job, client } = raced
  const pull = forge.pull(job.pullRequest?.number ?? 0)
  assert.deepEqual([job.status, job.outcome, job.error], ['completed', 'pull_request', null])
  assert.deepEqual(
    [job.source.ref, job.pullRequest?.state, job.prLink],
    [pull.branch, pull.state, job.pullRequest?.url],
  )
  const shown = (await client.pulls()).find(({ number }) => number === pull.number)
  assert.deepEqual([shown?.base, shown?.headCommit], [pull.base, forge.remote.head(pull.branch)])
  const changed = listed(git(raced, 'diff', '--name-only', `${pull.base}...${pull.branch}`))
  const diff = await client.diff(job.id)
  const paths = [...diff.matchAll(/^diff --git a\/(\S+) /gm)].map(([, path]) => path)
  assert.deepEqual(paths, changed, 'the diff is that of the pull request')
}

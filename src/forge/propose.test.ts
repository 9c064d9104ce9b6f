import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHastyClock, createMemoryHost, type MemoryHost } from '../../test/support/memory-host.ts'
import { Failure } from '../lib/failure.ts'
import { composeBody } from './body.ts'
import { nothingRefused } from './forge.ts'
import type { MergeLater, ForgeHost } from './host.ts'
import { amendOnHost, closeOnHost, type HostProposal, type ProposeContext, proposeOnHost } from './propose.ts'
import { createTurns } from './turns.ts'

const signal = new AbortController().signal

const proposal: HostProposal = {
  jobId: 'job_1',
  title: 'Rename the CLI',
  note: '',
  text: 'Renames the CLI.',
  facts: '- 2 pages changed',
  draft: false,
  branch: 'docent/job_1',
  base: 'main',
  headCommit: 'head',
  labels: [],
  reviewers: [],
}
const later: HostProposal = { ...proposal, title: 'Rename the CLI and its page', facts: '- 3 pages changed' }

function contextOf(host: ForgeHost, given: Partial<ProposeContext> = {}): ProposeContext {
  return { host, checkClaim: async () => {}, turns: createTurns(), clock: createHastyClock(), ...given }
}

async function propose(host: ForgeHost, given = proposal): Promise<number | undefined> {
  return (await proposeOnHost(contextOf(host), given, signal))?.pull.number
}

const worlds = [
  { name: 'a host that allows one open pull request of a branch', isUnique: true, lag: 0 },
  { name: 'a host whose lists lag', isUnique: true, lag: 0.3 },
  { name: 'a host without a rule against doubles', isUnique: false, lag: 0 },
]

for (const { name, ...world } of worlds) {
  test(`${name}: 300 jobs with two runners each end with one open`, async () => {
    const host = createMemoryHost({ ...world, faults: 0.3, seed: 7 })
    const jobs = Array.from({ length: 300 }, (_, at) => ({
      ...proposal,
      jobId: `job_${at}`,
      branch: `docent/job_${at}`,
    }))
    const run = (job: HostProposal) => proposeOnHost(contextOf(host, { deadlineMs: 1e9 }), job, signal)
    const results = await Promise.all(jobs.flatMap((job) => [run(job), run(job)]))
    for (const [at, { branch }] of jobs.entries()) {
      const open = host.pulls.filter(({ head, state }) => head.branch === branch && state === 'open')
      const numbers = [results[2 * at], results[2 * at + 1]].map((result) => result?.pull.number)
      assert.deepEqual(numbers, [open[0]?.number, open[0]?.number], branch)
      assert.equal(open.length, 1, branch)
    }
    if (world.isUnique) assert.equal(host.pulls.length, 300)
    else assert.ok(host.pulls.length > 300, 'the runners never met')
  })
}

test('a pull request that no list shows is not created again', async () => {
  const host = createMemoryHost({ isUnique: false })
  const hidden: ForgeHost = { ...host, listByBranch: async () => [] }
  assert.equal(await propose(hidden), 1)
  assert.deepEqual(host.writes, ['create docent/job_1'])
})

test('two runs of one process take turns, and the second finds the pull request', async () => {
  const host = createMemoryHost({ isUnique: false })
  const context = contextOf(host)
  const both = await Promise.all([1, 2].map(() => proposeOnHost(context, proposal, signal)))
  assert.deepEqual(
    both.map((one) => one?.pull.number),
    [1, 1],
  )
  assert.deepEqual(host.writes, ['create docent/job_1'])
})

test('the next run changes title, text and facts, and the same run changes nothing', async () => {
  const host = createMemoryHost()
  await propose(host)
  await propose(host)
  assert.deepEqual(host.writes, ['create docent/job_1'])
  await propose(host, later)
  assert.deepEqual(host.writes.slice(1), ['update 1 title,body,was'])
  assert.equal(host.pulls[0]?.title, later.title)
  assert.equal(host.pulls[0]?.body, composeBody(later))
})

test('a title and words that people wrote stay', async () => {
  const host = createMemoryHost()
  await propose(host)
  host.change(1, { title: 'Docs: the new CLI', body: `Please look at page 2.\n\n${host.pulls[0]?.body ?? ''}` })
  await propose(host, later)
  assert.equal(host.pulls[0]?.title, 'Docs: the new CLI')
  assert.match(host.pulls[0]?.body ?? '', /^Please look at page 2\.[^]*- 3 pages changed/)
})

test('a new note makes it a draft, and one that a person made ready stays ready', async () => {
  const host = createMemoryHost()
  await propose(host)
  const noted = { ...proposal, draft: true, note: 'Draft: the configuration calls code.' }
  await propose(host, { ...proposal, draft: true })
  assert.equal(host.pulls[0]?.draft, false, 'the setting is for new ones')
  await propose(host, noted)
  assert.equal(host.pulls[0]?.draft, true)
  assert.match(host.pulls[0]?.body ?? '', /^<!-- docent:note -->\nDraft: the configuration/)
  host.change(1, { draft: false })
  await propose(host, { ...noted, facts: '- 4 pages changed' })
  assert.equal(host.pulls[0]?.draft, false)
})

test('a base that people chose stays, and one that is gone is replaced', async () => {
  const host = createMemoryHost()
  await propose(host)
  host.change(1, { base: 'next' })
  await propose(host)
  await propose(host, { ...proposal, goneBase: 'old' })
  assert.deepEqual([host.pulls[0]?.base, host.writes.slice(1)], ['next', []])
  await propose(host, { ...proposal, goneBase: 'next' })
  assert.deepEqual(host.writes.slice(1), ['update 1 base'])
  assert.equal(host.pulls[0]?.base, 'main')
})

test('the open pull request of a person on the branch is taken over with its title', async () => {
  const host = createMemoryHost()
  await host.create({ title: 'My work', body: 'Mine.', base: 'main', branch: proposal.branch, draft: false }, signal)
  assert.equal(await propose(host), 1)
  assert.equal(host.pulls[0]?.title, 'My work')
  assert.match(host.pulls[0]?.body ?? '', /^Mine\.[^]*- 2 pages changed/)
})

test('duplicates of the job are closed, but not those of others and of forks', async () => {
  const host = createMemoryHost({ isUnique: false })
  const bodies = [composeBody(proposal), composeBody(proposal), 'A person opened this.', composeBody(proposal)]
  for (const body of bodies) {
    await host.create({ title: 'a', body, base: 'main', branch: proposal.branch, draft: false }, signal)
  }
  host.change(1, { isOwn: false })
  assert.equal(await propose(host), 2)
  assert.deepEqual(
    host.pulls.map(({ state }) => state),
    ['open', 'open', 'open', 'closed'],
  )
})

test('a pull request that ended before the run knew of it is not opened again', async () => {
  const host = createMemoryHost({ isUnique: false })
  await propose(host)
  host.change(1, { state: 'merged' })
  assert.equal(await propose(host), 1)
  const { title, base, branch } = proposal
  await host.create({ title, body: composeBody(proposal), base, branch, draft: false }, signal)
  host.change(2, { state: 'merged' })
  host.change(1, { state: 'closed' })
  assert.equal(await propose(host), 2, 'the merged one, not its double')
  assert.equal(await propose(host, { ...proposal, jobId: 'job_2' }), 3, 'that of another job')
})

test('a branch without a change has no pull request', async () => {
  const host: ForgeHost = { ...createMemoryHost(), create: async () => ({ kind: 'empty' }) }
  assert.equal(await propose(host), undefined)
})

test('a run that lost its claim writes nothing', async () => {
  const worlds: readonly ((host: MemoryHost) => void)[] = [
    (host) => host.pulls.splice(0),
    (host) => host.change(1, { body: '' }),
    (host) => host.pulls.push({ ...pullOf(host), number: 2 }),
  ]
  for (const prepare of worlds) {
    const host = createMemoryHost({ isUnique: false })
    await propose(host)
    prepare(host)
    const before = [...host.writes]
    const lost = contextOf(host, { checkClaim: async () => await Promise.reject(new Error('lease lost')) })
    await assert.rejects(proposeOnHost(lost, proposal, signal), /lease lost/)
    await assert.rejects(proposeOnHost(lost, { ...proposal, labels: ['docs'] }, signal), /lease lost/)
    assert.deepEqual(host.writes, before)
  }
})

function pullOf(host: MemoryHost): MemoryHost['pulls'][number] {
  const [pull] = host.pulls
  assert.ok(pull)
  return pull
}

test('a host that stays away, lies or asks to wait too long ends the step', async () => {
  const host = createMemoryHost()
  const lying: ForgeHost = { ...host, create: async () => ({ kind: 'exists' }) }
  await assert.rejects(propose(lying), { code: 'forge_unavailable', message: /does not show/ })
  const limited = new Failure('forge_rate_limited', 'wait', { retryAfter: 3_600 })
  const waiting: ForgeHost = { ...host, listByBranch: async () => await Promise.reject(limited) }
  await assert.rejects(propose(waiting), { code: 'forge_rate_limited', retryAfter: 3_600 })
  const refusing: ForgeHost = { ...host, create: async () => await Promise.reject(new Failure('forge_refused', 'no')) }
  await assert.rejects(propose(refusing), { code: 'forge_refused' })
})

test('an aborted step throws the reason, also while it waits for its turn', async () => {
  const stop = new AbortController()
  const turns = createTurns()
  const busy = Promise.withResolvers<void>()
  const held = turns.take('forge.example/acme/docs docent/job_1', () => busy.promise, signal)
  const host = createMemoryHost()
  const waiting = proposeOnHost(contextOf(host, { turns }), proposal, stop.signal)
  stop.abort(new Error('cancelled'))
  await assert.rejects(waiting, /cancelled/)
  const third = proposeOnHost(contextOf(host, { turns }), proposal, signal)
  assert.deepEqual(host.writes, [], 'the turn of the first is not over')
  busy.resolve()
  await held
  assert.equal((await third)?.pull.number, 1)
})

test('labels and reviewers that a host does not accept are named and fail nothing', async () => {
  const host = createMemoryHost()
  const asked = { ...proposal, labels: ['docs', 'no-such'], reviewers: ['no-body', 'ann'] }
  const proposed = await proposeOnHost(contextOf(host), asked, signal)
  assert.deepEqual(proposed?.refused, { ...nothingRefused, labels: ['no-such'], reviewers: ['no-body'] })
  const missing = new Failure('forge_right_missing', 'no')
  const strict: ForgeHost = { ...host, addLabels: async () => await Promise.reject(missing) }
  const second = await proposeOnHost(contextOf(strict), asked, signal)
  assert.deepEqual(second?.refused, { ...nothingRefused, labels: ['docs', 'no-such'], reviewers: ['no-body'] })
})

test('an assignee, milestone or auto-merge that a host refuses fails nothing', async () => {
  const host = createMemoryHost()
  const asked = { ...proposal, assignees: ['ann', 'no-body'], milestone: 'no-such', autoMerge: true }
  const first = await proposeOnHost(contextOf(host), asked, signal)
  assert.deepEqual(first?.refused, { ...nothingRefused, assignees: ['no-body'], milestone: 'no-such' })
  const answers: MergeLater[] = [{ kind: 'not_yet', reason: 'No pipeline runs.' }]
  const slow: ForgeHost = { ...host, mergeLater: async () => answers.shift() ?? { kind: 'set' } }
  assert.equal((await proposeOnHost(contextOf(slow), asked, signal))?.refused.autoMerge, null, 'it was asked again')
  const never: ForgeHost = { ...host, mergeLater: async () => ({ kind: 'not_yet', reason: 'No pipeline runs.' }) }
  assert.equal((await proposeOnHost(contextOf(never), asked, signal))?.refused.autoMerge, 'No pipeline runs.')
  const refusing: ForgeHost = { ...host, mergeLater: () => Promise.reject(new Failure('forge_refused', 'No.')) }
  assert.equal((await proposeOnHost(contextOf(refusing), asked, signal))?.refused.autoMerge, 'No.')
  const draft = createMemoryHost()
  await proposeOnHost(contextOf(draft), { ...asked, draft: true }, signal)
  assert.deepEqual(
    draft.writes.filter((write) => write.startsWith('merge')),
    [],
    'no forge merges a draft',
  )
})

test('a long title is cut, and a body that the host would not take is left alone', async () => {
  const host = createMemoryHost()
  await propose(host, { ...proposal, title: 'Many words\n'.repeat(40) })
  assert.equal(host.pulls[0]?.title.length, 241)
  assert.match(host.pulls[0]?.title ?? '', /^Many words Many words .*…$/)
  const longest = 'x'.repeat(65_536)
  host.change(1, { body: longest, title: 'Mine' })
  await propose(host)
  assert.equal(host.pulls[0]?.body, longest)
  const roomy = 'x'.repeat(65_536 - composeBody(proposal).length - 20)
  host.change(1, { body: roomy })
  await propose(host)
  assert.notEqual(host.pulls[0]?.body, roomy)
})

test('a part of the facts is replaced once, and what people wrote stays', async () => {
  const host = createMemoryHost()
  const number = (await propose(host)) ?? 0
  const part = { jobId: proposal.jobId, old: '- 2 pages changed', new: '- 2 pages changed\n\n$& more' }
  const amend = (given = part) => amendOnHost(contextOf(host), { number, part: given }, signal)
  host.change(number, { body: `Mine: - 2 pages changed\n\n${pullOf(host).body}\n\nTheirs.` })
  const before = [...host.writes]
  await amend({ ...part, jobId: 'job_other' })
  await amend({ ...part, old: '- 5 pages changed' })
  assert.deepEqual(host.writes, before)
  await amend()
  assert.match(
    pullOf(host).body,
    /^Mine: - 2 pages changed\n\n[^]*\n- 2 pages changed\n\n\$& more\n<!-- \/docent:facts -->\n\nTheirs\.$/,
  )
  host.change(number, { state: 'closed' })
  const ended = [...host.writes]
  await amend({ ...part, old: '$& more', new: 'less' })
  assert.deepEqual(host.writes, ended)
})

test('closing closes an open pull request once, and needs the claim', async () => {
  const host = createMemoryHost({ faults: 0.3, seed: 3 })
  const context = contextOf(host, { deadlineMs: 1e9 })
  const proposed = await proposeOnHost(context, proposal, signal)
  const number = proposed?.pull.number ?? 0
  const lost = contextOf(host, { checkClaim: async () => await Promise.reject(new Error('lease lost')) })
  await assert.rejects(closeOnHost(lost, number, signal), /lease lost/)
  assert.equal(host.pulls[0]?.state, 'open')
  await closeOnHost(context, number, signal)
  assert.equal(host.pulls[0]?.state, 'closed')
  const before = host.writes.length
  await closeOnHost(context, number, signal)
  await closeOnHost(context, 99, signal)
  assert.equal(host.writes.length, before)
})

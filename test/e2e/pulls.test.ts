// Docent's own pull requests through the whole service: merged, closed, changed by people, read after a loss.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { countAnswers, type Scripted } from '../support/model-server.ts'
import { git, pushAsPerson, show } from '../support/repository.ts'
import { edit, finish, lastUser, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import type { Client } from '../support/service.ts'

let service: ScriptedService
let client: Client
let play: ScriptedService['play']

before(async () => {
  service = await startScriptedService()
  ;({ client, play } = service)
})
after(() => service.close())

test('after a merge a follow-up starts a new branch from the present base', async () => {
  play(write('merged.md', 'x\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  const pull = (await client.pulls()).find((one) => one.jobId === first.id)
  const merged = await client.call<{ state: string }>(
    'POST',
    `/v1/projects/${client.projectId}/pulls/${pull?.number}/merge`,
  )
  assert.equal(merged.state, 'merged')
  assert.equal(await show(service.repository, 'main', 'merged.md'), 'x')
  play(edit('merged.md', 'x', 'y'), finish)
  await client.message(first.id, 'again')
  const second = await client.ended(first.id)
  assert.equal(second.source.ref, `docent/${first.id}-2`)
  assert.notEqual(second.prLink, first.prLink)
  assert.equal(await git(service.repository, 'rev-list', '--count', `main..${second.source.ref}`), '1')
})

/** Plays the run, and has a person act on the pull request before the model answers. */
function playWhile(act: 'merge' | 'close', number: number | undefined, ...answers: readonly Scripted[]): void {
  play(...answers)
  const { script } = service.model
  const state = { hasActed: false }
  service.model.script = async (messages, asked) => {
    const answer = await script(messages, asked)
    if (!state.hasActed) await client.call('POST', `/v1/projects/${client.projectId}/pulls/${number}/${act}`)
    state.hasActed = true
    return answer
  }
}

test('merged while a follow-up works: its change gets a pull request of its own', async () => {
  play(write('during.md', 'One.\n\nTwo.\n\nThree.\n\nFour.\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  playWhile('merge', first.pullRequest?.number, edit('during.md', 'Four.', 'Five.'), finish)
  await client.message(first.id, 'Change it')
  const second = await client.ended(first.id)
  assert.deepEqual(
    [second.status, second.source.ref],
    ['completed', `docent/${first.id}-2`],
    JSON.stringify(second.error),
  )
  assert.equal(second.pullRequest?.state, 'open')
  assert.equal(await git(service.repository, 'rev-list', '--count', `main..${second.source.ref}`), '1')
  assert.equal(await git(service.repository, 'rev-list', '--count', `main..${first.source.ref}`), '0')
  const pulls = (await client.pulls()).filter(({ jobId }) => jobId === first.id)
  assert.deepEqual(
    pulls.map(({ state }) => state),
    ['open', 'merged'],
  )
})

test('closed while a follow-up works: a question, and the reply opens a new one', async () => {
  play(write('rejected.md', 'One.\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  playWhile('close', first.pullRequest?.number, write('wanted.md', 'One.\n'), finish)
  await client.message(first.id, 'Add another')
  const asked = await client.ended(first.id)
  assert.deepEqual([asked.outcome, asked.pullRequest?.state], ['needs_input', 'closed'])
  assert.match(asked.result?.text ?? '', /^#\d+ was closed while this ran\./)
  play(finish)
  await client.message(first.id, 'Yes')
  const next = await client.ended(first.id)
  assert.deepEqual([next.outcome, next.source.ref], ['pull_request', `docent/${first.id}-2`])
  assert.equal(await git(service.repository, 'diff', '--name-only', `main...${next.source.ref}`), 'wanted.md')
})

test('a branch that a person merged by hand counts as merged', async () => {
  play(write('by-hand.md', 'x\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  const base = await git(service.repository, 'rev-parse', 'main')
  await git(service.repository, 'update-ref', 'refs/heads/main', `refs/heads/${first.source.ref}`, base)
  play(write('after.md', 'x\n'), finish)
  await client.message(first.id, 'again')
  assert.equal((await client.ended(first.id)).source.ref, `docent/${first.id}-2`)
  const states = (await client.pulls()).filter((pull) => pull.jobId === first.id).map((pull) => pull.state)
  assert.deepEqual(states.toSorted(), ['merged', 'open'])
})

test('a follow-up that reverts everything closes the pull request', async () => {
  play(edit('guides/a.md', 'One.', 'Uno.'), finish)
  const job = await client.ended((await client.create('Change it')).id)
  play(edit('guides/a.md', 'Uno.', 'One.'), finish)
  await client.message(job.id, 'Undo it')
  const ended = await client.ended(job.id)
  assert.deepEqual([ended.status, ended.outcome, ended.prLink], ['completed', 'no_changes', null])
  assert.equal((await client.pulls()).find((pull) => pull.jobId === job.id)?.state, 'closed')
})

test('the pull request shows what was merged, including commits of people', async () => {
  play(write('together.md', 'ours\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  pushAsPerson(service.repository, job.source.ref ?? '', { 'theirs.md': 'by hand\n' })
  const pull = (await client.pulls()).find((one) => one.jobId === job.id)
  const path = `/v1/projects/${client.projectId}/pulls/${pull?.number}`
  await client.call('POST', `${path}/merge`)
  assert.match(await (await client.fetch(`${path}/diff`, { headers: { Accept: 'text/x-diff' } })).text(), /\+by hand/)
})

async function loseMirrors(): Promise<void> {
  for (const dataDir of service.running.dataDirs) {
    await rm(join(dataDir, 'mirrors', `${client.projectId}.git`), { recursive: true, force: true })
  }
}

test('a lost mirror is fetched again by the next reader', async () => {
  play(write('lost.md', 'here\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  await loseMirrors()
  assert.match(await client.diff(job.id), /\+here/)
  await loseMirrors()
  assert.equal((await fetch(job.prLink ?? '')).status, 200)
})

test('a deleted base closes the pull request; a follow-up uses the current base', async () => {
  play(write('gone.md', 'x\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const { repository } = service
  await git(repository, 'branch', 'trunk', 'main')
  await git(repository, 'symbolic-ref', 'HEAD', 'refs/heads/trunk')
  await git(repository, 'branch', '-D', 'main')
  play(write('anew.md', 'x\n'), finish)
  await client.message(job.id, 'again')
  assert.equal((await client.ended(job.id)).source.ref, `docent/${job.id}-2`)
  await git(repository, 'branch', 'main', 'trunk')
  await git(repository, 'symbolic-ref', 'HEAD', 'refs/heads/main')
})

test('a merge that conflicts names the files and changes nothing', async () => {
  play(edit('index.md', '# Home', '# Ours'), finish, finish)
  const job = await client.ended((await client.create('Change it')).id)
  const main = pushAsPerson(service.repository, 'main', { 'index.md': '# Theirs\n' })
  const pull = (await client.pulls()).find((one) => one.jobId === job.id)
  const response = await client.fetch(`/v1/projects/${client.projectId}/pulls/${pull?.number}/merge`, {
    method: 'POST',
  })
  assert.equal(response.status, 409)
  assert.match(await response.text(), /merge_conflict.*index\.md|index\.md.*merge_conflict/s)
  assert.equal(await git(service.repository, 'rev-parse', 'main'), main)
})

test("a person's commit on the branch stays, and the follow-up builds on it", async () => {
  play(write('shared.md', 'ours\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const theirs = pushAsPerson(service.repository, ref, { 'person.md': 'theirs\n' })
  play(edit('shared.md', 'ours', 'ours too'), finish)
  await client.message(job.id, 'more')
  assert.equal((await client.ended(job.id)).status, 'completed')
  assert.equal(await git(service.repository, 'rev-parse', `${ref}^`), theirs)
})

test('a head that a person moves during the run gets the change on top of it', async () => {
  play(write('moving.md', 'a\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const moved: { head?: string } = {}
  service.model.script = (messages) => {
    if (lastUser(messages) !== 'again') return edit('moving.md', 'a', 'b')
    moved.head ??= pushAsPerson(service.repository, ref, { 'other.md': 'x\n' })
    const last = messages.at(-1)?.role === 'tool' && countAnswers(messages) === 3
    return last ? finish : edit('moving.md', 'a', 'b')
  }
  await client.message(job.id, 'again')
  const ended = await client.ended(job.id)
  assert.equal(ended.error, null)
  assert.equal(await git(service.repository, 'rev-parse', `${ref}^`), moved.head)
  assert.equal(await show(service.repository, ref, 'moving.md'), 'b')
})

test('a change that conflicts with a person fails with the paths, and forces nothing', async () => {
  play(write('fight.md', 'one\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const moved: { head?: string } = {}
  const before = 2
  service.model.script = (messages) => {
    moved.head ??= pushAsPerson(service.repository, ref, { 'fight.md': 'theirs\n' })
    return countAnswers(messages) === before ? edit('fight.md', 'one', 'ours') : finish
  }
  await client.message(job.id, 'change it')
  const ended = await client.ended(job.id)
  assert.equal(ended.status, 'failed')
  assert.equal(ended.error?.code, 'branch_conflict')
  assert.match(ended.error?.message ?? '', /fight\.md/)
  assert.equal(await git(service.repository, 'rev-parse', ref), moved.head)
  assert.equal(ended.prLink, job.prLink)
})

// One job and its follow-ups through the whole service: HTTP, database, git, a scripted model behind a socket.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { branches, git, pushAsPerson, show } from '../support/repository.ts'
import {
  type ChatMessage,
  countAnswers,
  type ModelServer,
  type Scripted,
  startModelServer,
} from '../support/model-server.ts'
import { type Client, removeTemplate, startService, type TestService } from '../support/service.ts'

let model: ModelServer
let running: TestService
let client: Client

const pages = {
  'index.md': '# Home\n\nWelcome to Acme.\n',
  'guides/a.md': '# A\n\nOne.\n\nTwo.\n',
  'AGENTS.md': 'Write short sentences.\n',
}

before(async () => {
  model = await startModelServer(() => ({ text: 'unscripted' }))
  running = await startService(pages, { DOCENT_MODEL: 'compatible/scripted', DOCENT_MODEL_BASE_URL: model.baseUrl })
  client = running.client
})
after(async () => {
  await running.close()
  await model.close()
  await removeTemplate()
})

const edit = (path: string, oldText: string, newText: string): Scripted => ({
  calls: [{ name: 'edit_file', input: { path, edits: [{ oldText, newText }] } }],
})
const write = (path: string, content: string): Scripted => ({
  calls: [{ name: 'write_file', input: { path, content } }],
})
const finish: Scripted = { calls: [{ name: 'finish', input: { title: 'A title', summary: 'A summary.' } }] }
const nothing: Scripted = { calls: [{ name: 'finish', input: { noChange: 'All is well.' } }] }

/** Answers by the count of answers since the last message that is an instruction. */
function play(...answers: readonly Scripted[]): void {
  const before = { answers: -1 }
  model.script = (messages) => {
    if (before.answers < 0) before.answers = countAnswers(messages)
    return answers[countAnswers(messages) - before.answers] ?? nothing
  }
}

const lastUser = (messages: readonly ChatMessage[]) => messages.findLast((message) => message.role === 'user')?.content

test('a job edits the repository and proposes it as a pull request', async () => {
  play(edit('index.md', 'Welcome to Acme.', 'Welcome to Acme Command.'), finish)
  const created = await client.create('Say Acme Command')
  assert.equal(created.status, 'active')
  assert.equal(created.prLink, null)
  const job = await client.ended(created.id)
  assert.equal(job.error, null)
  assert.equal(job.status, 'completed')
  assert.equal(job.outcome, 'pull_request')
  assert.equal(job.usage.turns, 2)
  const ref = job.source.ref ?? ''
  assert.equal(await show(running.repository, ref, 'index.md'), '# Home\n\nWelcome to Acme Command.')
  assert.equal(await git(running.repository, 'rev-list', '--count', `main..${ref}`), '1')
  assert.match(
    await git(running.repository, 'log', '-1', '--format=%B', ref),
    new RegExp(`A title\\n\\nA summary.\\n\\nDocent-Job: ${job.id}/1`),
  )
  const page = await (await fetch(job.prLink ?? '')).text()
  assert.match(page, /Welcome to Acme Command/)
  assert.match(await client.diff(job.id), /\+Welcome to Acme Command\./)
})

test('the model is given our rules, the notes of the base branch and the instruction', async () => {
  play(nothing)
  await client.ended((await client.create('Look around')).id)
  const request = model.requests.at(-1) ?? []
  assert.match(
    request[0]?.content ?? '',
    /You are Docent[\s\S]*<repository-notes path="AGENTS.md">\nWrite short sentences/,
  )
  assert.equal(lastUser(request), 'Look around')
})

test('a prompt is kept and given to the model as it was sent', async () => {
  play(nothing)
  const prompt = '\ufeff\u202eRTL, \u0007, "quotes", 😀 and {{{ \\u0000'
  const job = await client.ended((await client.create(prompt)).id)
  assert.equal((await client.messages(job.id))[0]?.prompt, prompt)
  assert.equal(lastUser(model.requests.at(-1) ?? []), prompt)
})

test('a job that changes nothing says so and leaves no branch', async () => {
  play(nothing)
  const job = await client.ended((await client.create('Do nothing')).id)
  assert.deepEqual([job.status, job.outcome, job.prLink], ['completed', 'no_changes', null])
  assert.ok(!(await branches(running.repository)).includes(job.source.ref ?? ''))
})

test('a follow-up goes on with the same branch, pull request and conversation', async () => {
  play(write('new.md', '# New\n'), finish)
  const first = await client.ended((await client.create('Add a page')).id)
  play(edit('new.md', '# New', '# Newer'), finish)
  assert.equal((await client.message(first.id, 'Call it Newer')).prLink, null)
  const second = await client.ended(first.id)
  assert.equal(second.prLink, first.prLink)
  assert.equal(second.source.ref, first.source.ref)
  assert.equal(await git(running.repository, 'rev-list', '--count', `main..${first.source.ref}`), '2')
  assert.equal(await show(running.repository, first.source.ref ?? '', 'new.md'), '# Newer')
  const asked = model.requests.findLast((messages) => lastUser(messages) === 'Call it Newer') ?? []
  assert.ok(asked.some((message) => message.content === 'Add a page'))
  assert.equal((await client.pulls()).filter((pull) => pull.jobId === first.id).length, 1)
})

test('a message to an active job is given to the model before its next turn', async () => {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  model.script = (messages) => {
    if (countAnswers(messages) === 0) {
      asked.resolve()
      return { ...write('mid.md', 'x\n'), wait: gate.promise }
    }
    return lastUser(messages) === 'and one more' && countAnswers(messages) === 1 ? write('more.md', 'y\n') : finish
  }
  const created = await client.create('start')
  await asked.promise
  await client.message(created.id, 'and one more')
  gate.resolve()
  const job = await client.ended(created.id)
  assert.equal(await show(running.repository, job.source.ref ?? '', 'more.md'), 'y')
  assert.equal(await git(running.repository, 'rev-list', '--count', `main..${job.source.ref}`), '1')
  const messages = await client.messages(job.id)
  assert.equal(new Set(messages.map((message) => message.runId)).size, 1)
})

test('a message that arrives while the run ends is taken by the next run', async () => {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  model.script = (messages) => {
    if (lastUser(messages) === 'late') return nothing
    if (countAnswers(messages) === 0) return write('early.md', 'x\n')
    asked.resolve()
    return { ...finish, wait: gate.promise }
  }
  const created = await client.create('start')
  await asked.promise
  await client.message(created.id, 'late')
  gate.resolve()
  const job = await client.ended(created.id)
  const messages = await client.messages(job.id)
  assert.equal(new Set(messages.map((message) => message.runId)).size, 2)
  assert.ok(messages.every((message) => message.runId !== null))
  assert.equal(job.outcome, 'pull_request')
})

test('a person who pushed to the branch keeps their commit, and the follow-up stands on it', async () => {
  play(write('shared.md', 'ours\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const theirs = await pushAsPerson(running.repository, ref, { 'person.md': 'theirs\n' })
  play(edit('shared.md', 'ours', 'ours too'), finish)
  await client.message(job.id, 'more')
  assert.equal((await client.ended(job.id)).status, 'completed')
  assert.equal(await git(running.repository, 'rev-parse', `${ref}^`), theirs)
})

test('a head that a person moves during the run gets the change on top of it', async () => {
  play(write('moving.md', 'a\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const moved: { head?: string } = {}
  model.script = (messages) => {
    if (lastUser(messages) !== 'again') return edit('moving.md', 'a', 'b')
    moved.head ??= ''
    const wait =
      moved.head === ''
        ? pushAsPerson(running.repository, ref, { 'other.md': 'x\n' }).then((head) => (moved.head = head))
        : undefined
    const last = messages.at(-1)?.role === 'tool' && countAnswers(messages) === 3
    return last ? finish : { ...edit('moving.md', 'a', 'b'), ...(wait ? { wait } : {}) }
  }
  await client.message(job.id, 'again')
  const ended = await client.ended(job.id)
  assert.equal(ended.error, null)
  assert.equal(await git(running.repository, 'rev-parse', `${ref}^`), moved.head)
  assert.equal(await show(running.repository, ref, 'moving.md'), 'b')
})

test('a change that conflicts with a person fails with the paths, and forces nothing', async () => {
  play(write('fight.md', 'one\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const ref = job.source.ref ?? ''
  const moved: { head?: Promise<string> } = {}
  const before = 2
  model.script = (messages) => {
    moved.head ??= pushAsPerson(running.repository, ref, { 'fight.md': 'theirs\n' })
    return countAnswers(messages) === before ? { ...edit('fight.md', 'one', 'ours'), wait: moved.head } : finish
  }
  await client.message(job.id, 'change it')
  const ended = await client.ended(job.id)
  assert.equal(ended.status, 'failed')
  assert.equal(ended.error?.code, 'branch_conflict')
  assert.match(ended.error?.message ?? '', /fight\.md/)
  assert.equal(await git(running.repository, 'rev-parse', ref), await moved.head)
  assert.equal(ended.prLink, job.prLink)
})

test('after a merge a follow-up starts a new branch from the present base', async () => {
  play(write('merged.md', 'x\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  const pull = (await client.pulls()).find((one) => one.jobId === first.id)
  const merged = await client.call<{ state: string }>(
    'POST',
    `/v1/projects/${client.projectId}/pulls/${pull?.number}/merge`,
  )
  assert.equal(merged.state, 'merged')
  assert.equal(await show(running.repository, 'main', 'merged.md'), 'x')
  play(edit('merged.md', 'x', 'y'), finish)
  await client.message(first.id, 'again')
  const second = await client.ended(first.id)
  assert.equal(second.source.ref, `docent/${first.id}-2`)
  assert.notEqual(second.prLink, first.prLink)
  assert.equal(await git(running.repository, 'rev-list', '--count', `main..${second.source.ref}`), '1')
})

test('a branch that a person merged by hand counts as merged', async () => {
  play(write('by-hand.md', 'x\n'), finish)
  const first = await client.ended((await client.create('Add it')).id)
  const base = await git(running.repository, 'rev-parse', 'main')
  await git(running.repository, 'update-ref', 'refs/heads/main', `refs/heads/${first.source.ref}`, base)
  play(write('after.md', 'x\n'), finish)
  await client.message(first.id, 'again')
  assert.equal((await client.ended(first.id)).source.ref, `docent/${first.id}-2`)
  const states = (await client.pulls()).filter((pull) => pull.jobId === first.id).map((pull) => pull.state)
  assert.deepEqual(states.toSorted(), ['merged', 'open'])
})

test('a follow-up that takes everything back leaves no change and closes the pull request', async () => {
  play(edit('guides/a.md', 'One.', 'Uno.'), finish)
  const job = await client.ended((await client.create('Change it')).id)
  play(edit('guides/a.md', 'Uno.', 'One.'), finish)
  await client.message(job.id, 'Undo it')
  const ended = await client.ended(job.id)
  assert.deepEqual([ended.status, ended.outcome, ended.prLink], ['completed', 'no_changes', null])
  assert.equal((await client.pulls()).find((pull) => pull.jobId === job.id)?.state, 'closed')
})

test('a failed run keeps its edits: the diff shows them, and the next run goes on from them', async () => {
  model.script = (messages) => (countAnswers(messages) === 0 ? write('kept.md', 'kept\n') : { status: 400 })
  const failed = await client.ended((await client.create('Add it')).id)
  assert.equal(failed.error?.code, 'model_refused')
  assert.match(await client.diff(failed.id), /\+kept/)
  play(edit('kept.md', 'kept', 'kept and mended'), finish)
  await client.message(failed.id, 'go on')
  const job = await client.ended(failed.id)
  assert.equal(job.status, 'completed')
  assert.equal(await show(running.repository, job.source.ref ?? '', 'kept.md'), 'kept and mended')
})

test('archiving is final and refuses active jobs', async () => {
  const gate = Promise.withResolvers<void>()
  model.script = () => ({ ...nothing, wait: gate.promise })
  const job = await client.create('wait')
  const path = `/v2/agent/${client.projectId}/job/${job.id}`
  await client.call('POST', `${path}/archive`, undefined, 409)
  gate.resolve()
  await client.ended(job.id)
  const archived = await client.call<{ status: string; archivedAt: string }>('POST', `${path}/archive`)
  assert.equal(archived.status, 'archived')
  assert.ok(archived.archivedAt)
  await client.call('POST', `${path}/archive`)
  await client.call('POST', `${path}/message`, { prompt: 'x' }, 409)
})

test('what was merged is what the pull request shows, also when a person added to it', async () => {
  play(write('together.md', 'ours\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  await pushAsPerson(running.repository, job.source.ref ?? '', { 'theirs.md': 'by hand\n' })
  const pull = (await client.pulls()).find((one) => one.jobId === job.id)
  const path = `/v1/projects/${client.projectId}/pulls/${pull?.number}`
  await client.call('POST', `${path}/merge`)
  assert.match(await (await client.fetch(`${path}/diff`, { headers: { Accept: 'text/x-diff' } })).text(), /\+by hand/)
})

test('a mirror that is lost is fetched again by whoever reads', async () => {
  play(write('lost.md', 'here\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  await rm(join(running.environment['DOCENT_DATA_DIR'] ?? '', 'mirrors', `${client.projectId}.git`), {
    recursive: true,
  })
  assert.match(await client.diff(job.id), /\+here/)
  await rm(join(running.environment['DOCENT_DATA_DIR'] ?? '', 'mirrors', `${client.projectId}.git`), {
    recursive: true,
  })
  assert.equal((await fetch(job.prLink ?? '')).status, 200)
})

test('a base branch that is gone closes the pull request, and a follow-up builds on the base of now', async () => {
  play(write('gone.md', 'x\n'), finish)
  const job = await client.ended((await client.create('Add it')).id)
  const { repository } = running
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
  play(edit('index.md', '# Home', '# Ours'), finish)
  const job = await client.ended((await client.create('Change it')).id)
  const main = await pushAsPerson(running.repository, 'main', { 'index.md': '# Theirs\n' })
  const pull = (await client.pulls()).find((one) => one.jobId === job.id)
  const response = await client.fetch(`/v1/projects/${client.projectId}/pulls/${pull?.number}/merge`, {
    method: 'POST',
  })
  assert.equal(response.status, 409)
  assert.match(await response.text(), /merge_conflict.*index\.md|index\.md.*merge_conflict/s)
  assert.equal(await git(running.repository, 'rev-parse', 'main'), main)
})

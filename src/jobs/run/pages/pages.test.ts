import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { addJob, addProject } from '../../../../test/support/database.ts'
import { openTestDatabase } from '../../../../test/support/engine.ts'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { type HttpAnswer, serveHttp } from '../../../../test/support/scripted-http.ts'
import { toCommentPrompt } from '../../../agent/comment.ts'
import type { PageAnswer } from '../../../agent/pages.ts'
import { createFetchPageTool } from '../../../agent/tools/fetch-page/fetch-page.ts'
import type { Turn } from '../../../agent/transcript.ts'
import type { Workspace } from '../../../agent/workspace.ts'
import type { Discussion, Discussions } from '../../../forge/discussion/discussion.ts'
import type { ForgeHost } from '../../../forge/host.ts'
import type { Repository } from '../../../git/types.ts'
import { Failure } from '../../../lib/failure.ts'
import type { Postgres } from '../../../postgres/types.ts'
import { createPages } from './pages.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const signal = new AbortController().signal
const web = 'https://forge.example'

const discussion: Discussion = {
  kind: 'issue',
  number: 7,
  title: 'Rename --force',
  state: 'open',
  author: null,
  body: 'See [the reference](https://docs.example.com/ref/flags?v=2).',
  remarks: [{ author: 'grace', at: '2026-11-20T08:00:00.000Z', text: 'Yes', path: 'docs/a.md', line: 3 }],
  isWhole: false,
}

type Given = {
  readonly prompt?: string
  readonly settings?: object
  readonly read?: Discussions['read']
  readonly hostOf?: () => Promise<ForgeHost | undefined>
  readonly privateHosts?: readonly string[]
  readonly turns?: readonly Turn[]
  readonly hasReadPrivate?: () => Promise<boolean>
}

/** A run that has taken its message, on a project with a forge. */
async function open(given: Given) {
  const { db } = postgres
  const projectId = await addProject(db, `${web}/acme/docs.git`)
  if (given.settings)
    await db
      .updateTable('projects')
      .set({ pages: JSON.stringify(given.settings) })
      .execute()
  const jobId = await addJob(db, projectId)
  const run = await db.selectFrom('runs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow()
  const prompt = JSON.stringify(given.prompt ?? 'Look around')
  await db.updateTable('messages').set({ prompt, run_id: run.id }).where('job_id', '=', jobId).execute()
  const project = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow()
  const job = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const discussions: Discussions = {
    keyOf: ({ href }) => (href.startsWith(`${web}/acme/docs/issues/`) ? { kind: 'issue', number: 7 } : undefined),
    read: given.read ?? (() => Promise.resolve(discussion)),
  }
  const host = { discussions } as unknown as ForgeHost
  const tree = memoryTree({ 'a.md': '[A](https://docs.example.com/ref/a)\n' })
  const deps = {
    db,
    hostOf: given.hostOf ?? (() => Promise.resolve(host)),
    pages: { privateHosts: given.privateHosts ?? [], resolve: () => Promise.resolve(['127.0.0.2']) },
  }
  const repository = { tree: () => Promise.resolve(tree) } as unknown as Repository
  const { turns = [], hasReadPrivate = () => Promise.resolve(false) } = given
  return createPages({ deps, job, project, repository }, { base: '0'.repeat(40), turns, hasReadPrivate })
}

const reasonOf = (answer: PageAnswer) => ('reason' in answer ? `${answer.kind}: ${answer.reason}` : answer.kind)

test("an issue of the project's forge is read over its API, and its links count", async () => {
  const settings = { prefixes: ['https://docs.example.com/ref/'] }
  const pages = await open({ prompt: `Do ${web}/acme/docs/issues/7#issuecomment-1.`, settings })
  assert.equal(await pages.mayRead(), true)
  const answer = await pages.read(`${web}/acme/docs/issues/7#issuecomment-1`, signal)
  assert.ok(answer.kind === 'page')
  assert.match(
    answer.head,
    /issues\/7#issuecomment-1: an issue with 1 comments; there are more, from the API of the forge$/,
  )
  assert.match(
    answer.text,
    /^# Rename --force\n\nState: open\. By: nobody known\.\n\nSee .*\n\n## grace, 2026-11-20 08:00, on docs\/a\.md line 3\n\nYes$/,
  )
  assert.deepEqual(answer.asked, {
    address: `${web}/acme/docs/issues/7#issuecomment-1`,
    status: 200,
    bytes: Buffer.byteLength(answer.text),
  })
  assert.deepEqual(answer.links, ['https://docs.example.com/ref/flags?v=2'])
  // Nobody listens there: what counts is that a request was sent.
  assert.match(reasonOf(await pages.read('https://docs.example.com/ref/flags?v=2', signal)), /private network address/)
})

test('an issue that nobody named is not read, although the credential could', async () => {
  const asked: unknown[] = []
  const read = (key: unknown) => {
    asked.push(key)
    return Promise.resolve(discussion)
  }
  const pages = await open({ prompt: `Do ${web}/acme/docs/issues/7.`, read })
  assert.match(reasonOf(await pages.read(`${web}/acme/docs/issues/8`, signal)), /^refused: no person wrote this/)
  assert.deepEqual(asked, [])
})

test('addresses in the lines that comments quote were not written by people', async () => {
  const on = (line: number, quote: string, text: string) =>
    toCommentPrompt({ path: 'docs/a.md', line, at: 'head', quote }, text)
  const [quoted, cut] = [`${web}/acme/docs/issues/8`, `${web}/acme/docs/issues/9`]
  const parts = ['Do these.', on(3, quoted, `As in ${web}/acme/docs/issues/7.`), on(4, cut, '').trimEnd()]
  const pages = await open({ prompt: parts.join('\n\n') })
  assert.equal(reasonOf(await pages.read(`${web}/acme/docs/issues/7`, signal)), 'page')
  for (const address of [quoted, cut]) {
    assert.match(reasonOf(await pages.read(address, signal)), /^refused: no person wrote this/)
  }
})

test('a forge that refuses, hangs or is away ends no run', async () => {
  const prompt = `Do ${web}/acme/docs/issues/7.`
  const reasonWith = async (given: Given) =>
    reasonOf(await (await open({ prompt, ...given })).read(`${web}/acme/docs/issues/7`, signal))
  assert.equal(
    await reasonWith({ read: () => Promise.resolve(undefined) }),
    'failed: there is no such page on the forge, or the credential of the project may not read it',
  )
  const away = new Failure('forge_unavailable', 'The forge is away.')
  assert.equal(await reasonWith({ read: () => Promise.reject(away) }), 'failed: The forge is away')
  const deleted = new Failure('repository_unauthorized', 'The credential was refused.')
  // Without a credential it is a page like any other.
  assert.match(await reasonWith({ hostOf: () => Promise.reject(deleted) }), /^failed: .*private network address/)
  assert.match(await reasonWith({ hostOf: () => Promise.resolve(undefined) }), /^failed: .*private network address/)
})

test('a run knows its pages and their links by its stored results', async () => {
  const settings = { prefixes: ['https://docs.example.com/ref/'] }
  const fetched = {
    address: 'https://docs.example.com/ref/a',
    status: 200,
    bytes: 3,
    links: ['https://docs.example.com/ref/b'],
  }
  const result = { callId: 'c', tool: 'fetch_page', text: '', isError: false, facts: { fetched } }
  const turn: Turn = { number: 1, input: [], response: undefined, results: [result] }
  const again = await open({ settings, turns: [turn] })
  assert.match(reasonOf(await again.read('https://docs.example.com/ref/b', signal)), /^failed/)
  assert.match(reasonOf(await again.read('https://docs.example.com/ref/c', signal)), /^refused/)
  const full = await open({ settings, turns: [{ ...turn, results: Array.from({ length: 20 }, () => result) }] })
  assert.match(
    reasonOf(await full.read('https://docs.example.com/ref/b', signal)),
    /^refused: this run has read 20 pages/,
  )
  // A setting that was taken away meanwhile takes no tool out of the conversation.
  assert.equal(await (await open({ settings: {}, turns: [turn] })).mayRead(), true)
  assert.equal(await (await open({ settings: {} })).mayRead(), false)
})

test('after a private source was read, a link is refused and a written address is not', async () => {
  const settings = { prefixes: ['https://docs.example.com/ref/'] }
  const pages = await open({
    settings,
    prompt: 'https://docs.example.com/other',
    hasReadPrivate: () => Promise.resolve(true),
  })
  assert.match(
    reasonOf(await pages.read('https://docs.example.com/ref/a', signal)),
    /^refused: the run has read a private/,
  )
  assert.match(reasonOf(await pages.read('https://docs.example.com/other', signal)), /^failed/)
})

async function readOver(t: TestContext, answer: HttpAnswer) {
  const server = await serveHttp(t, () => answer)
  const pages = await open({ prompt: `${server.url}/x`, privateHosts: [server.host] })
  return createFetchPageTool().run({ url: `${server.url}/x` }, { workspace: {} as Workspace, pages, signal })
}

test('fetch_page says what a page is, and cuts a long one', async (t) => {
  const long = await readOver(t, { body: `<title>A]\n[b</title><p>${'x'.repeat(60_000)}\u200b` })
  assert.match(
    long.text,
    /^\[http:\S+: status 200, 600\d\d bytes, HTML as Markdown; its title: "A\] \[b"; the text is data; cut: the first 45000 of 60008 characters\]\nxxx/,
  )
  assert.ok(long.text.length <= 50_000)
  assert.deepEqual(long.facts?.fetched?.status, 200)
  const empty = await readOver(t, { body: '<div id="app"></div><script>fill()</script>' })
  assert.match(empty.text, /; it has no text: a script may fill it; the text is data\]\n$/)
  const hidden = await readOver(t, { body: 'a\u202eb', headers: { 'content-type': 'text/plain' } })
  assert.match(hidden.text, /\]\na\\u\{202E\}b$/)
  const pdf = await readOver(t, { body: '%PDF-1.7', headers: { 'content-type': 'application/pdf' } })
  assert.deepEqual(
    [pdf.isError, pdf.text, pdf.facts?.fetched?.bytes],
    [true, 'Not read: it is a PDF, and no page of text.', 8],
  )
})

test('fetch_page refuses what is no address, without a request', async () => {
  const pages = await open({ prompt: 'https://docs.example.com/x' })
  for (const url of [
    'docs.example.com',
    'file:///etc/passwd',
    'https://a@docs.example.com/x',
    'https:\\\\docs.example.com/x',
  ]) {
    const { text, isError, facts } = await createFetchPageTool().run(
      { url },
      { workspace: {} as Workspace, pages, signal },
    )
    assert.deepEqual([isError, facts], [true, undefined])
    assert.match(text, /^Nothing was requested: `url` must be a whole address/)
  }
})

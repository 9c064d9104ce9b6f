// Jobs of a project with sources: repositories of the product behind real git servers, which runs read at one commit each.

import assert from 'node:assert/strict'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type ServedRepository, servedRepository } from '../support/git-source.ts'
import { type ChatMessage, countAnswers } from '../support/model-server.ts'
import { finish, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import { createClient, type Client } from '../support/service.ts'

const flags = Array.from({ length: 14 }, (_, at) => `  flag('--option-${at}', 'What the option number ${at} does')`)
const code: Readonly<Record<string, string>> = {
  'src/flags.ts': `export function flags() {\n${flags.join('\n')}\n}\n`,
  'src/.env': 'TOKEN=hidden-by-its-name\n',
  'internal/notes.md': 'hidden-by-paths\n',
}
const login = { username: 'reader', password: 'password-of-the-source' }

suite('sources', () => {
  const cleanups: (() => unknown)[] = []
  const t = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) }
  let service: ScriptedService
  let client: Client
  let docs: ServedRepository
  let api: ServedRepository
  let core: ServedRepository
  let send: (method: string, path: string, body?: unknown) => Promise<{ readonly body: string }>

  before(async () => {
    docs = await servedRepository(t, {
      'docs/flags.md': '# Flags\n\nUse `--option-3` for the third.\n',
      'docs/other.md': '# Other\n\nSet `unrelated_name`.\n',
    })
    api = await servedRepository(t, code)
    core = await servedRepository(t, code)
    core.server.login = login
    const hosts = [docs, api, core].map(({ server }) => server.host).join()
    service = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
    const { environment, addresses } = service.running
    client = await createClient(environment, addresses, docs.server.address)
    const operator = openSocketApi(parseConfig(environment))
    send = (method, path, body) => operator.send(method, `/v1/projects/${client.projectId}${path}`, body)
    await send('POST', '/sources', { name: 'api', repository: api.server.address, paths: ['src/**'] })
  })
  after(async () => {
    await service.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  const run = async (body: object): Promise<JobResponse> => {
    const { id } = await client.call<JobResponse>('POST', `/v2/agent/${client.projectId}/job`, body)
    return await client.ended(id)
  }
  const copied = (path: string, from: number, to: number) =>
    write(path, `# Flags\n\n\`\`\`\n${flags.slice(from, to).join('\n')}\n\`\`\`\n`)
  const call = (name: string, input: object) => ({ calls: [{ name, input }] })
  /** All that was sent to the model, as one text. */
  const sentText = (): string => {
    const messages: readonly ChatMessage[] = service.model.requests.at(-1) ?? []
    return messages.map(({ content }) => content ?? '').join('\n')
  }
  /** The page of the pull request. */
  const pageOf = async ({ pullRequest }: JobResponse): Promise<string> => {
    assert.ok(pullRequest)
    return await (await fetch(pullRequest.url)).text()
  }

  test('a run reads a source at one commit, and job and pull request say which', async () => {
    const commit = api.remote.head('main') ?? ''
    service.play(
      call('read_file', { path: '@api/src/flags.ts' }),
      call('search', { pattern: '--option-3', glob: '@api/**' }),
      write('docs/flags.md', '# Flags\n\nUse `--option-3`.\n'),
      finish,
    )
    const job = await run({ prompt: 'Document the flag.' })
    assert.equal(job.error, null)
    assert.deepEqual(job.sources, [{ name: 'api', repository: api.server.address, commit }])
    assert.match(sentText(), new RegExp(String.raw`@api \([^ ]* at ${commit.slice(0, 7)}, 1 file\)`))
    assert.match(sentText(), /all 16 lines of @api\/src\/flags\.ts/)
    assert.match(sentText(), /@api\/src\/flags\.ts:5: /)
    assert.match(await pageOf(job), new RegExp(`Sources:.{1,40}api@${commit.slice(0, 7)}`))
  })

  test('files outside of the paths, and files that look like a secret, are not readable', async () => {
    service.play(
      call('read_file', { path: '@api/src/.env' }),
      call('read_file', { path: '@api/internal/notes.md' }),
      call('search', { pattern: 'hidden-by', glob: '@api/**' }),
      call('list_files', { glob: '@api' }),
      write('@api/src/new.ts', 'x'),
      call('finish', { noChange: 'Nothing to do.' }),
    )
    const job = await run({ prompt: 'Look around.' })
    assert.equal(job.outcome, 'no_changes')
    assert.doesNotMatch(sentText(), /TOKEN|hidden-by-(?:its|paths)/)
    assert.match(sentText(), /no file @api\/src\/\.env/)
    assert.match(sentText(), /\[nothing found/)
    assert.match(sentText(), /\[1 file fit @api\]/)
    assert.match(sentText(), /@api is a source, which is only read/)
  })

  test('a source does not move within a run, and the next run reads its newest commit', async () => {
    const before = api.remote.head('main') ?? ''
    let after = ''
    let step = 0
    service.model.script = () => {
      step += 1
      if (step === 1) return call('read_file', { path: '@api/src/flags.ts' })
      if (step === 2) after = api.remote.commit('main', { 'src/flags.ts': 'moved\n' })
      if (step === 2) return call('read_file', { path: '@api/src/flags.ts' })
      return call('finish', { noChange: 'Nothing to do.' })
    }
    const job = await run({ prompt: 'Read twice.' })
    assert.doesNotMatch(sentText(), /moved/)
    assert.equal(job.sources[0]?.commit, before)
    service.play(call('read_file', { path: '@api/src/flags.ts' }), call('finish', { noChange: 'Nothing to do.' }))
    await client.message(job.id, 'Again.')
    const again = await client.ended(job.id)
    assert.equal(again.sources[0]?.commit, after)
    assert.match(sentText(), /\nmoved\n/)
  })

  test('a run reads the past of a source, and of its secrets nothing', async () => {
    const renamed = code['src/flags.ts']?.replace('--option-3', '--third') ?? ''
    api.remote.commit('main', { ...code, 'src/.env': 'TOKEN=hidden-by-its-name-2\n' }, 'Restore the flags')
    const tagged = api.remote.head('main') ?? ''
    api.remote.git(['tag', 'v1.0', tagged])
    api.remote.commit('main', { 'src/flags.ts': renamed, 'src/yarn.lock': 'x\n' }, 'Rename --option-3 to --third (#12)')
    service.play(
      call('log', { path: '@api', from: 'last-tag' }),
      call('show_change', { path: '@api', from: 'v1.0' }),
      call('show_change', { path: '@api', commit: tagged }),
      call('read_file', { path: '@api/src/flags.ts', at: 'v1.0', startLine: 5, endLine: 5 }),
      call('read_file', { path: '@api/src/.env', at: 'v1.0' }),
      call('log', { path: '@api', from: 'v0.9' }),
      call('affected_pages', { source: '@api', from: 'v1.0' }),
      call('finish', { noChange: 'Nothing to do.' }),
    )
    const job = await run({ prompt: 'Look at the past.' })
    assert.equal(job.error, null)
    const text = sentText()
    assert.match(
      text,
      /\[1 commit of @api, the newest first[^\n]*\n\w{10} 2023-11-14 "Person": "Rename --option-3 to --third \(#12\)" #12\n/,
    )
    assert.match(
      text,
      /\[2 files changed from \w{10} to \w{10}\]\n@api\/src\/flags\.ts: modified, \+1 -1\n@api\/src\/yarn\.lock: added, a program writes it/,
    )
    assert.match(text, /\n\+ {2}flag\('--third'/)
    assert.match(text, /\[lines 5-5 of 16 of @api\/src\/flags\.ts at \w{10}[^\n]*\n {2}flag\('--option-3'/)
    assert.match(text, /no file src\/\.env/)
    assert.match(text, /no date, tag or commit "v0\.9" in the history/)
    assert.doesNotMatch(text, /hidden-by-its/)
    assert.match(
      text,
      /\[2 pages, the likeliest first; the change probably concerns the doc[^\n]*\ndocs\/flags\.md: .*"--option-3"/,
    )
  })

  test('the pages that a change of a source concerns are ranked', async () => {
    const path = `/v1/projects/${client.projectId}/affected`
    type Found = {
      readonly concernsDocs: boolean
      readonly to: string
      readonly pages: { path: string; terms: string[] }[]
    }
    const found = await client.call<Found>('GET', `${path}?source=api&from=v1.0`)
    assert.equal(found.pages[0]?.path, 'docs/flags.md')
    assert.ok(found.concernsDocs && found.pages[0]?.terms.includes('--option-3'))
    assert.equal(found.to, api.remote.head('main'))
    const refused = await client.call<{ readonly detail: string }>('GET', `${path}?source=api&from=v9`, undefined, 400)
    assert.match(refused.detail, /`from` must be a tag, a branch, a commit, a date or `last-tag`/)
    await client.call('GET', `${path}?source=other&from=v1.0`, undefined, 404)
    assert.deepEqual((await client.call<Found>('GET', `${path}?from=main`)).pages, [])
  })

  test('without a source that a job names it fails; without another one it says so', async () => {
    await send('POST', '/sources', { name: 'core', repository: core.server.address })
    service.play(write('docs/flags.md', '# Flags\n\nMore.\n'), finish)
    const job = await run({ prompt: 'Write more.' })
    assert.equal(job.error, null)
    assert.deepEqual(
      job.sources.map(({ name, commit }) => [name, commit === null]),
      [
        ['api', false],
        ['core', true],
      ],
    )
    assert.match(sentText(), /Sources that could not be read in this run: @core \(/)
    assert.match(await pageOf(job), /Sources that could not be read/)
    const failed = await run({ prompt: 'Write more.', context: ['core'] })
    assert.equal(failed.error?.code, 'context_unavailable')
    assert.match(failed.error?.message ?? '', /needs the source core, which cannot be read/)
    service.play(call('finish', { noChange: 'Nothing to do.' }))
    assert.deepEqual((await run({ prompt: 'Alone.', context: [] })).sources, [])
    const body = { prompt: 'x', context: ['api', 'other'] }
    const refused = await client.call<{ readonly detail: string }>(
      'POST',
      `/v2/agent/${client.projectId}/job`,
      body,
      400,
    )
    assert.match(refused.detail, /`context\.1` must be a source of the project, which has api, core/)
  })

  test('ten lines of a private source are held until a person allows them', async () => {
    await send('PUT', '/sources/core/credential', { forge: 'git', user: login.username, token: login.password })
    service.play(copied('docs/copied.md', 0, 10), finish)
    const job = await run({ prompt: 'Copy the flags.', context: ['core'] })
    assert.deepEqual([job.outcome, job.pullRequest], ['needs_input', null])
    const given = /publish ([0-9a-f]{12})/.exec(job.result?.text ?? '')?.[1]
    assert.match(
      job.result?.text ?? '',
      /`docs\/copied\.md` from line 4: 10 lines, which are in `@core\/src\/flags\.ts`/,
    )
    service.play(finish)
    await client.message(job.id, 'Please publish it.')
    assert.equal((await client.ended(job.id)).outcome, 'needs_input')
    service.play(finish)
    await client.message(job.id, `Yes, publish ${given}.`)
    assert.equal((await client.ended(job.id)).outcome, 'pull_request')
    // The same lines of a source that everybody can read are no secret.
    api.remote.commit('main', code)
    service.play(copied('docs/public.md', 0, 10), finish)
    assert.equal((await run({ prompt: 'Copy.', context: ['api'] })).outcome, 'pull_request')
  })

  test('documentation whose host cannot be asked whether it is public counts as public', async () => {
    service.model.script = (messages) => {
      if (countAnswers(messages) === 0) return copied('docs/asked.md', 1, 12)
      docs.server.fault = ({ headers }) => (headers['git-protocol'] ? undefined : { kind: 'reset' })
      return finish
    }
    const job = await run({ prompt: 'Copy the flags.', context: ['core'] })
    docs.server.fault = undefined
    assert.deepEqual([job.outcome, job.pullRequest], ['needs_input', null])
    assert.match(job.result?.text ?? '', /^The documentation may be public, and the change repeats parts/)
    assert.match(job.result?.text ?? '', /`docs\/asked\.md` from line 4: 11 lines/)
  })

  test('a run that continues elsewhere, without the mirror, reads the same commit', async () => {
    const before = api.remote.commit('main', { 'src/flags.ts': 'as it was\n' })
    const asked = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    service.model.script = (messages) => {
      const answers = countAnswers(messages)
      if (answers === 0) return call('list_files', { glob: '@api' })
      if (answers === 1 && !isRestarted) {
        asked.resolve()
        return { text: 'x', wait: never.promise }
      }
      if (answers === 1) return call('read_file', { path: '@api/src/flags.ts' })
      return call('finish', { noChange: 'Nothing to do.' })
    }
    let isRestarted = false
    const path = `/v2/agent/${client.projectId}/job`
    const { id } = await client.call<JobResponse>('POST', path, { prompt: 'Read later.', context: ['api'] })
    await asked.promise
    const { key, projectId } = client
    const restarted = await service.running.restart(async () => {
      isRestarted = true
      api.remote.commit('main', { 'src/flags.ts': 'moved on\n' })
      const mirrors = service.running.dataDirs.map((one) => join(one, 'mirrors'))
      for (const folder of mirrors) {
        const names = await readdir(folder).catch(() => [])
        for (const name of names.filter((one) => one.startsWith('src_'))) {
          await rm(join(folder, name), { recursive: true })
        }
      }
    })
    never.resolve()
    const fetched = async () => {
      const response = await restarted.fetch(`/v2/agent/${projectId}/job/${id}`, {
        headers: { Authorization: `Bearer ${key}` },
      })
      return (await response.json()) as JobResponse
    }
    const end = Date.now() + 100_000
    let job = await fetched()
    while (job.status === 'active' && Date.now() < end) {
      await delay(200)
      job = await fetched()
    }
    assert.deepEqual([job.outcome, job.sources[0]?.commit], ['no_changes', before])
    assert.match(sentText(), /\nas it was\n/)
    assert.doesNotMatch(sentText(), /moved on/)
  })

  test('no credential of one repository is sent to another', () => {
    const sent = [docs, api].flatMap(({ server }) => server.logins)
    assert.deepEqual(new Set(sent), new Set([null]))
    assert.ok(core.server.logins.some((one) => one?.password === login.password))
  })
})

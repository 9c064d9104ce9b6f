// Checks of jobs in a project with sources: what the documentation still says and the product no longer has. The sources are
// behind real git servers that leave out contents, so that their past is not in the mirrors at first.

import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { after, before, suite, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { type ServedRepository, servedRepository } from '../support/git-source.ts'
import { edit, finish, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'
import { type Client, createClient } from '../support/service.ts'

type SarifRun = {
  readonly results: readonly { readonly ruleId: string; readonly message: { readonly text: string } }[]
  readonly properties: { readonly drift: { readonly sources: readonly { readonly name: string }[] } }
}
const options = (name: string, retries: number) =>
  `export const options = {\n  "${name}": number(100),\n  "retries": number(${retries}),\n  "dry-run": flag(),\n}\n`

suite('drift in the checks of jobs', () => {
  const cleanups: (() => unknown)[] = []
  const t = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) }
  let service: ScriptedService
  let client: Client
  let docs: ServedRepository
  let api: ServedRepository
  let core: ServedRepository
  /** The commit, and its date. */
  let removed: string
  let stale: string
  let send: (method: string, path: string, body?: unknown) => Promise<unknown>

  before(async () => {
    docs = await servedRepository(t, {
      'docs/use.md': '# Use\n\nSet `--max-lines`.\n\nA failed request is sent again: `--retries` (default `3`).\n',
      'docs/other.md': '# Other\n\nTry `--dry-run` first.\n',
    })
    const file = 'src/options.ts'
    api = await servedRepository(
      t,
      { [file]: options('max-lines', 3) },
      { [file]: options('max-rows', 5) },
      { 'src/new.ts': 'new\n' },
    )
    core = await servedRepository(t, { 'src/core.ts': 'export const core = 1\n' })
    removed = api.remote.git(['show', '--no-patch', '--abbrev=7', '--format=%h of %cs', 'main~1']).trim()
    stale = `names --max-lines, which api removed in ${removed}; --max-rows`
    const hosts = [docs, api, core].map(({ server }) => server.host).join()
    service = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: hosts })
    const { environment, addresses } = service.running
    client = await createClient(environment, addresses, docs.server.address)
    const operator = openSocketApi(parseConfig(environment))
    send = async (method, path, body) => await operator.send(method, `/v1/projects/${client.projectId}${path}`, body)
    await send('POST', '/sources', { name: 'api', repository: api.server.address })
  })
  after(async () => {
    await service.close()
    for (const clean of cleanups.toReversed()) await clean()
  })

  const run = async (body: object): Promise<JobResponse> => {
    const { id } = await client.call<JobResponse>('POST', `/v2/agent/${client.projectId}/job`, body)
    const job = await client.ended(id)
    assert.equal(job.error, null)
    return job
  }
  const pathOf = ({ id }: Pick<JobResponse, 'id'>) => `/v2/agent/${client.projectId}/job/${id}/checks`
  const checksOf = async (job: JobResponse): Promise<ReviewResponse> => {
    for (let tries = 0; tries < 300; tries += 1) {
      const review = await client.call<ReviewResponse>('GET', pathOf(job))
      if (review.remaining !== null) return review
      await delay(100)
    }
    return assert.fail('the rest of the site was not checked within half a minute')
  }
  const toLine = ({ state, path, kind, message, suggestion }: ReviewResponse['findings'][number]) =>
    `${state} ${path} ${kind}: ${message}; ${suggestion}`
  const sentText = () => (service.model.requests.at(-1) ?? []).map(({ content }) => content ?? '').join('\n')
  const value = 'says 3 of --retries, which was so in api and is 5 now (src/options.ts); 5'

  test('a name that the product removed is listed with the commit, and with the basis', async () => {
    service.play(edit('docs/other.md', 'first', 'at first'), finish)
    const job = await run({ prompt: 'Change a word.' })
    const review = await checksOf(job)
    assert.deepEqual(review.findings.map(toLine), [
      `remaining docs/use.md stale-term: ${stale}`,
      `remaining docs/use.md stale-value: ${value}`,
    ])
    const [source] = review.drift?.sources ?? []
    assert.deepEqual(
      [source?.name, source?.commit, source?.revisions, source?.isWhole, review.drift?.pages, review.drift?.terms],
      ['api', api.remote.head('main'), 2, true, 2, 3],
    )
    assert.deepEqual([review.coverage.notJudged, review.coverage.site?.notJudged], [[], []])
  })

  test('a removed name that a change brings is a new problem, also in SARIF', async () => {
    service.play(
      write('docs/new.md', '# New\n\nSet `--max-lines`, or `--dry-run`.\n'),
      { calls: [{ name: 'check', input: { old: true } }] },
      finish,
      finish,
      finish,
    )
    const job = await run({ prompt: 'Write a page.' })
    const sent = sentText()
    assert.match(sent, /2 old problems; 1 new one not listed/)
    assert.match(sent, /docs\/use\.md:3: stale-term: names --max-lines, which api removed in \w{7}/)
    assert.match(sent, /docs\/new\.md:3: stale-term: .* — did you mean --max-rows\?/)
    const review = await checksOf(job)
    assert.deepEqual(review.findings.map(toLine), [
      `introduced docs/new.md stale-term: ${stale}`,
      `remaining docs/use.md stale-term: ${stale}`,
      `remaining docs/use.md stale-value: ${value}`,
    ])
    const log = (await (await client.fetch(`${pathOf(job)}.sarif`)).json()) as { readonly runs: readonly SarifRun[] }
    const [{ results, properties } = { results: [], properties: undefined }] = log.runs
    assert.deepEqual(
      results.map(({ ruleId, message }) => [ruleId, message.text]),
      [['stale-term', `Names --max-lines, which api removed in ${removed}. Did you mean --max-rows?`]],
    )
    assert.equal(properties?.drift.sources[0]?.name, 'api')
  })

  test('a change that documents the product as it is now fixes what it said before', async () => {
    service.play(
      edit('docs/use.md', '--max-lines', '--max-rows'),
      edit('docs/use.md', 'default `3`', 'default `5`'),
      finish,
    )
    const review = await checksOf(await run({ prompt: 'Bring the page up to date.' }))
    assert.deepEqual(
      review.findings.map(({ state, kind }) => `${state} ${kind}`),
      ['fixed stale-term', 'fixed stale-value'],
    )
    assert.deepEqual([review.introduced, review.fixed, review.remaining], [0, 2, 0])
  })

  test('with a source that cannot be read, nothing is gone, and the coverage says so', async () => {
    await send('POST', '/sources', { name: 'core', repository: core.server.address })
    core.server.login = { username: 'reader', password: 'password-of-the-source' }
    service.play(edit('docs/other.md', '--dry-run', '--wet-run'), finish, finish)
    const job = await run({ prompt: 'Change a flag.' })
    const review = await checksOf(job)
    assert.deepEqual([review.findings, review.introduced, review.remaining], [[], 0, 0])
    const [touched] = review.coverage.notJudged
    assert.deepEqual([touched?.reason, touched?.count, touched?.example], ['source', 1, 'docs/other.md:3 --wet-run'])
    const [all] = review.coverage.site?.notJudged ?? []
    assert.deepEqual([all?.reason, all?.count], ['source', 3])
    assert.deepEqual(
      review.drift?.sources.map(({ name, commit }) => [name, commit]),
      [
        ['api', api.remote.head('main')],
        ['core', null],
      ],
    )
    assert.equal((await client.job(job.id)).checks?.judgedAll, false)
    service.play(edit('docs/other.md', 'first', 'at first'), finish)
    const chosen = await checksOf(await run({ prompt: 'Change a word.', context: ['api'] }))
    assert.deepEqual(chosen.coverage.site?.notJudged[0]?.reason, 'source')
  })
})

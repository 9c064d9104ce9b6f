import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { openAnalyticsApp, type AnalyticsApp } from '../../../../test/support/analytics-app.ts'
import { createRemote, testGit } from '../../../../test/support/git-remote.ts'
import { createManualClock } from '../../../../test/support/manual-clock.ts'
import { expectProblem } from '../../../../test/support/openapi-app.ts'
import { endProposal, proposeChange } from '../../../../test/support/proposing.ts'
import type { RequestCounts } from '../../../analytics/counts/query/exports/requests.ts'
import type { PageCounts } from '../../../analytics/counts/query/sums.ts'
import { addDays, dayOf } from '../../../analytics/zone.ts'
import type { Git } from '../../../git/types.ts'
import type { PullResponse } from '../../../forge/own/response.ts'
import type { EffectResponse } from './effect-contract.ts'

const zone = 'Pacific/Auckland'
const dayMs = 86_400_000
const ai = { category: 'ai_assistant', agent: 'ChatGPT-User', operator: 'OpenAI' } as const

suite('pages before and after a merge', () => {
  const closers: (() => Promise<void> | void)[] = []
  const cleanup = { after: (hook: () => Promise<void> | void) => void closers.unshift(hook) }
  let a: AnalyticsApp
  let git: Git
  let jobId: string
  let openJobId: string
  let mergedAt = Date.now()
  let merged = ''

  before(async () => {
    a = await openAnalyticsApp()
    git = await testGit(cleanup)
    const remote = createRemote(cleanup)
    const pages = { 'docs/index.md': '# Home\n', 'docs/guides/a.md': 'a\n', 'docs/old.md': 'old\n' }
    remote.commit('main', { 'mkdocs.yml': 'site_name: Acme\n', ...pages })
    await a.set({ repository: remote.directory, time_zone: zone })
    const files = { 'docs/guides/a.md': 'b\n', 'docs/new page.md': 'new\n', 'README.txt': 'x\n' }
    const propose = async (branch: string, title: string) =>
      await endProposal(a.t.db, await proposeChange(a.t, { git, remote }, { branch, files, title }))
    openJobId = await propose('docent/1', 'Say a')
    jobId = await propose('docent/2', 'Say b')
    const { call } = await startLater(0)
    const response = await call(`/v1/projects/${a.t.project.id}/pulls/2/merge`, { method: 'POST' })
    mergedAt = Date.parse(((await response.json()) as PullResponse).mergedAt ?? '')
    merged = dayOf(zone, mergedAt)
  })
  beforeEach(async () => {
    await a.reset()
    await a.set({ time_zone: zone })
  })
  after(async () => {
    for (const close of closers) await close()
  })

  /** A service whose clock is so many days after the merge. */
  async function startLater(days: number, exportsPerHour = 1_000) {
    const clock = createManualClock(new Date(mergedAt + days * dayMs))
    const analytics = { db: a.t.db, clock, openStore: () => Promise.resolve(a.store) }
    const { deps } = a.t
    const limits = { ...deps.limits, exportsPerHour }
    const { call } = await a.t.start({ pulls: { ...deps.pulls, git }, jobs: { ...deps.jobs, git }, analytics, limits })
    return {
      call,
      get: async <T>(query: string) => (await (await call(`${a.path}/${query}`)).json()) as T,
      effect: async (query = '', job = jobId) =>
        (await (await call(`${a.path}/effect?job=${job}${query}`)).json()) as EffectResponse,
    }
  }

  /** The same time of another day. */
  const on = (days: number) => ({ time: mergedAt + days * dayMs })

  test('a pull request that is not merged says so', async () => {
    const { effect } = await startLater(0)
    const { note, pullRequest, needs, days, pages } = await effect('', openJobId)
    assert.deepEqual([note, pullRequest, needs], ['The pull request of the job is not merged.', null, null])
    assert.deepEqual([days, pages], [0, []])
  })

  test('the pages of the change are counted by day as the exports count them', async () => {
    const views = [-31, ...Array.from({ length: 40 }, (_, at) => at - 20)].flatMap((day) =>
      Array.from({ length: 1 + (Math.abs(day * 7) % 5) }, (_, at) => ({
        ...on(day),
        path: '/guides/a',
        visitor: BigInt(at + 1),
      })),
    )
    await a.put(...views, { ...on(3), path: '/new%20page' }, { ...on(-2), path: '/old' }, { ...on(2), path: '/guides' })
    await a.put(
      { ...on(4), path: '/guides/a', visitor: 900n, ...ai },
      { ...on(-4), path: '/guides/a', visitor: 1n, ...ai },
    )
    await a.put({ ...on(-1), path: '/new%20page', status: 404 }, { ...on(-1), path: '/new%20page', status: 404, ...ai })
    await a.put({ ...on(-1), path: '/new%20page', status: 404, category: 'search', agent: 'Googlebot' })
    const { effect, get } = await startLater(16.5)
    const found = await effect()
    assert.deepEqual([found.days, found.needs, found.note, found.mergedOn], [14, 0, null, merged])
    assert.deepEqual(found.before, { dateFrom: addDays(merged, -14), dateTo: merged })
    assert.deepEqual(found.after, { dateFrom: addDays(merged, 1), dateTo: addDays(merged, 15) })
    assert.deepEqual([found.pullRequest?.number, found.pullRequest?.title, found.timeZone], [2, 'Say b', zone])
    assert.deepEqual([found.pages.map(({ path }) => path), found.pagesLeftOut], [['/guides/a', '/new%20page'], 0])
    for (const { path, days, before, after } of found.pages) {
      const sums = { [merged]: { readers: 0, agents: 0, failures: 0 }, after: { readers: 0, agents: 0, failures: 0 } }
      for (const { date, ...counts } of days) {
        const range = `dateFrom=${date}&dateTo=${addDays(date, 1)}`
        const { visitors } = await get<{ visitors: PageCounts[] }>(`visitors?${range}`)
        const { brokenPages } = await get<{ brokenPages: RequestCounts[] }>(`broken-pages?${range}`)
        const [page, broken] = [visitors.find((one) => one.path === path), brokenPages.find((one) => one.path === path)]
        const failures = (broken?.human ?? 0) + (broken?.ai ?? 0)
        const expected = { readers: page?.human ?? 0, agents: page?.ai ?? 0, failures }
        assert.deepEqual(counts, expected, `${path} ${date}`)
        const sum = date < merged ? sums[merged] : sums.after
        for (const key of ['readers', 'agents', 'failures'] as const) if (sum) sum[key] += expected[key]
      }
      assert.deepEqual([before, after], [sums[merged], sums.after])
    }
    assert.deepEqual(found.pages[1]?.before, { readers: 0, agents: 0, failures: 2 })
    assert.ok((found.pages[0]?.before.agents ?? 0) === 1 && (found.pages[0]?.after.agents ?? 0) === 1)
  })

  test('a page that is asked for is counted, whether the change has it or not', async () => {
    await a.put({ ...on(-30), path: '/x' }, { ...on(-3), path: '/other' }, { ...on(2), path: '/other/below' })
    const { effect, call } = await startLater(9)
    const { pages, days, needs } = await effect('&path=/other/')
    assert.deepEqual([pages.length, pages[0]?.path, days, needs], [1, '/other', 7, 0])
    assert.deepEqual([pages[0]?.before.readers, pages[0]?.after.readers], [1, 0])
    const tooLong = await call(`${a.path}/effect?job=${jobId}&path=/${'é'.repeat(1_500)}`)
    await expectProblem(tooLong, 400, 'invalid_input')
    await expectProblem(await call(`${a.path}/effect?path=/x`), 400, 'invalid_input')
    const unknown = `${a.path}/effect?job=job_${'0'.repeat(20)}`
    await expectProblem(await call(unknown), 404, 'not_found')
  })

  test('failing pages that a run was given are counted, and a site that is not known', async () => {
    await a.put({ ...on(-20) }, { ...on(-2), path: '/gone', status: 404 }, { ...on(1), path: '/gone' })
    const given = JSON.stringify([{ path: '/gone', visitors: 3, days: 2 }])
    await a.t.db.updateTable('runs').set({ given_pages: given }).where('job_id', '=', jobId).execute()
    const { effect } = await startLater(8)
    const { pages } = await effect()
    await a.t.db.updateTable('runs').set({ given_pages: null }).where('job_id', '=', jobId).execute()
    assert.deepEqual(
      pages.map(({ path }) => path),
      ['/gone', '/guides/a', '/new%20page'],
    )
    assert.deepEqual([pages[0]?.before.failures, pages[0]?.after.readers], [1, 1])
  })

  test('numbers that say nothing yet say how many days they need', async () => {
    await a.put({ ...on(-40) }, { ...on(1), path: '/guides/a' })
    const early = await (await startLater(4)).effect()
    assert.deepEqual([early.days, early.needs, early.note], [3, 4, 'It needs 4 more days after the merge.'])
    assert.equal(early.pages[0]?.days.length, 6)
    const same = await (await startLater(0)).effect()
    assert.deepEqual([same.days, same.before, same.after, same.needs], [0, null, null, 7])
    const late = await (await startLater(300)).effect()
    assert.deepEqual([late.days, late.needs], [28, 0])
  })

  test('a merge before the page views says that they will never do', async () => {
    const { effect } = await startLater(30)
    assert.equal((await effect('&path=/x')).note, 'There is no page view of the project.')
    await a.put({ ...on(-3) })
    const found = await effect()
    const since = dayOf(zone, mergedAt - 3 * dayMs)
    const note = `Only 2 whole days before the merge have page views: page views are counted since ${since}.`
    assert.deepEqual([found.days, found.needs, found.note], [2, null, note])
    await a.set({ retention_months: 1 })
    await a.put({ ...on(-60) })
    const later = await (await startLater(60)).effect()
    assert.match(later.note ?? '', /^Only 0 whole days .*: earlier ones are no longer kept\.$/)
  })

  test('the list of pull requests has the merge by its day in the zone of the project', async () => {
    const { call } = await startLater(1)
    const pulls = `/v1/projects/${a.t.project.id}/pulls`
    const list = async (query: string) => {
      const found = (await (await call(`${pulls}?${query}`)).json()) as { pulls: readonly PullResponse[] }
      return found.pulls.map(({ number, mergedAt: at }) => [number, at])
    }
    const only = [[2, new Date(mergedAt).toISOString()]]
    assert.deepEqual(await list(''), [...only, [1, null]])
    assert.deepEqual(await list(`mergedFrom=${merged}&mergedTo=${addDays(merged, 1)}`), only)
    assert.deepEqual([await list('mergedFrom=0000-01-01'), await list('mergedTo=9999-12-31')], [only, only])
    for (const query of [`mergedFrom=${addDays(merged, 1)}`, `mergedTo=${merged}`, `mergedFrom=${merged}&state=open`])
      assert.deepEqual(await list(query), [], query)
    await expectProblem(await call(`${pulls}?mergedFrom=yesterday`), 400, 'invalid_input')
  })

  test('it counts as one export', async () => {
    const { call } = await startLater(9, 1)
    const path = `${a.path}/effect?job=${jobId}`
    const response = await call(path)
    assert.deepEqual([response.status, response.headers.get('RateLimit')?.split(';')[1]], [200, 'r=0'])
    await response.text()
    await expectProblem(await call(path), 429, 'rate_limited')
  })
})

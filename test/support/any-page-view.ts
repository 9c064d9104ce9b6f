// Random page views, settings and questions for properties of analytics: few visitors on few pages, of all kinds.

import fc from 'fast-check'
import type { NewPageView } from '../../src/analytics/collect/group-commit.ts'
import type { QuerySettings } from '../../src/analytics/counts/query/plan.ts'

const hour = 3_600_000
const saltWindows = ['', 'month:2026-09', 'month:2026-10', 'week:2026-W43']

/** A visitor belongs to one salt window, and may be seen at any time, as after a change of the zone. */
export function anyPageView(now: Date, days = 90) {
  return fc
    .record({
      window: fc.integer({ min: 0, max: 3 }),
      client: fc.integer({ min: 0, max: 6 }),
      time: fc.integer({ min: now.getTime() - days * 24 * hour, max: now.getTime() }),
      path: fc.constantFrom('/', '/a', '/b', '/%C3%A4', '/A'),
      category: fc.constantFrom('browser', 'ai_assistant', 'markdown', 'search', 'ai_training'),
      source: fc.constantFrom('browser', 'server', 'log'),
      representation: fc.constantFrom('html', 'markdown'),
      status: fc.constantFrom(200, 200, 304, 404),
      verified: fc.constantFrom('none', 'address', 'failed'),
      isDownload: fc.constantFrom(false, false, false, true),
      agent: fc.constantFrom('', 'GPTBot', 'ChatGPT-User'),
      operator: fc.constantFrom('', 'OpenAI'),
      referrer: fc.constantFrom(
        '',
        '',
        'www.google.de',
        'google.com',
        'example.org',
        'www.example.org',
        'blog.example',
      ),
    })
    .map(({ window, client, ...view }): Partial<NewPageView> => {
      const visitor = client === 0 ? 0n : BigInt(client + 100 * window)
      return { ...view, saltWindow: saltWindows[window] ?? '', visitor }
    })
}

export const usualSettings: QuerySettings = {
  timeZone: 'UTC',
  visitorWindow: 'month',
  collectionSource: 'both',
  retentionMonths: 24,
  categories: {},
  unverifiedAiAgents: 'count',
}

export const anySettings = fc
  .record({
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'),
    collectionSource: fc.constantFrom('both', 'server', 'browser'),
    unverifiedAiAgents: fc.constantFrom('count', 'ignore'),
    categories: fc.constantFrom({}, { search: 'human' }, { markdown: 'human', browser: 'ai' }),
  })
  .map((chosen) => ({ ...usualSettings, ...chosen }))

export const anyQuestion = fc.record({
  first: fc.integer({ min: 0, max: 95 }),
  days: fc.integer({ min: 0, max: 95 }),
  interval: fc.constantFrom('day', 'week', 'month'),
  limit: fc.integer({ min: 1, max: 6 }),
  offset: fc.integer({ min: 0, max: 3 }),
  sort: fc.constantFrom('', 'total', 'human', 'ai'),
  search: fc.constantFrom('', 'A', 'ä', '%c3'),
})

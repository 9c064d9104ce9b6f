// Random page views, settings and questions for properties of analytics: few visitors on few pages, of all kinds.

import fc from 'fast-check'
import type { NewPageView } from '../../src/analytics/collect/group-commit.ts'
import { categories, defaultClasses } from '../../src/analytics/category.ts'
import type { FilterName } from '../../src/analytics/counts/query/filters.ts'
import type { QuerySettings } from '../../src/analytics/counts/query/plan.ts'
import type { PageView } from '../../src/analytics/page-view.ts'

const hour = 3_600_000
const saltWindows = ['', 'month:2026-09', 'month:2026-10', 'week:2026-W43']

/** A visitor belongs to one salt window, and may be seen at any time, as after a change of the zone. */
export function anyPageView(now: Date, days = 90) {
  return fc
    .record({
      window: fc.integer({ min: 0, max: 3 }),
      client: fc.integer({ min: 0, max: 6 }),
      time: fc.integer({ min: now.getTime() - days * 24 * hour, max: now.getTime() }),
      path: fc.constantFrom('/', '/a', '/b', '/%C3%A4', '/A', '/a/b', '/a/b/c/d/e', '/b/c'),
      siteId: fc.constantFrom('', 'site_1', 'site_2'),
      category: fc.constantFrom('browser', 'ai_assistant', 'markdown', 'search', 'ai_training'),
      source: fc.constantFrom('browser', 'server', 'log'),
      representation: fc.constantFrom('html', 'markdown'),
      status: fc.constantFrom(200, 200, 304, 404),
      verified: fc.constantFrom('none', 'address', 'failed'),
      isDownload: fc.constantFrom(false, false, false, true),
      agent: fc.constantFrom('', 'GPTBot', 'ChatGPT-User'),
      operator: fc.constantFrom('', 'OpenAI'),
      country: fc.constantFrom('', 'DE', 'US'),
      language: fc.constantFrom('', 'de', 'en'),
      device: fc.constantFrom('', 'desktop', 'mobile'),
      browser: fc.constantFrom('', 'Firefox', 'Chrome'),
      os: fc.constantFrom('', 'Linux', 'iOS'),
      campaign: fc.constantFrom('', 'utm_source=a', 'utm_source=a&utm_campaign=b%26c', 'ref=a'),
      title: fc.constantFrom('', 'A', 'B'),
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

type Chosen = Readonly<Partial<Record<FilterName, readonly string[]>>>

const values: Readonly<Record<FilterName, readonly string[]>> = {
  site: ['site_1', 'site_2', 'unknown', 'site_3'],
  section: ['/a', '/a/b', '/a/b/c/d', '/a/b/c/d/e', '/', '/b', '/nowhere'],
  path: ['/a', '/a/b', '/b/c', '/'],
  class: ['human', 'ai', 'neither'],
  agent: ['GPTBot', 'ChatGPT-User', 'Other'],
  operator: ['OpenAI', 'Other'],
  referrer: ['google.com', 'example.org', 'blog.example'],
  representation: ['html', 'markdown'],
  country: ['DE', 'US', 'FR', 'unknown'],
  language: ['de', 'en', 'unknown'],
  device: ['desktop', 'mobile', 'unknown'],
  browser: ['Firefox', 'Chrome', 'unknown'],
  os: ['Linux', 'iOS', 'unknown'],
  campaign: ['utm_source=a', 'utm_campaign=b%26c', 'utm_campaign=b%26c&utm_source=A', 'ref=b', 'unknown'],
}

function anyValues(name: FilterName) {
  const one = fc.tuple(fc.constantFrom(...values[name]), fc.constantFrom('', '', '!'))
  return fc.array(
    one.map(([value, not]) => not + value),
    { minLength: 1, maxLength: 3 },
  )
}

const names = Object.keys(values) as FilterName[]

/** One or two filters, each with values that a page view may have, or may not have. */
export const anyFilters: fc.Arbitrary<Chosen> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 })
  .chain((some) => fc.tuple(...some.map((name) => anyValues(name).map((chosen) => [name, chosen] as const))))
  .map((chosen) => Object.fromEntries(chosen))

const sites: Readonly<Record<string, string>> = { 'www.google.de': 'google.com', 'www.example.org': 'example.org' }

/** Written after the contract, and knows nothing of the code under test. */
export function isMatch(view: PageView, chosen: Chosen, settings: QuerySettings): boolean {
  const classes = categories.filter((category) => category === view.category)
  const [mapped] = classes.map((category) => settings.categories[category] ?? defaultClasses[category])
  const isRefused = mapped === 'ai' && settings.unverifiedAiAgents === 'ignore' && view.verified === 'failed'
  const own: Readonly<Record<Exclude<FilterName, 'section' | 'campaign'>, string>> = {
    site: view.siteId || 'unknown',
    path: view.path,
    class: isRefused ? 'neither' : (mapped ?? 'neither'),
    agent: view.agent,
    operator: view.operator,
    referrer: sites[view.referrer] ?? view.referrer,
    representation: view.representation,
    country: view.country || 'unknown',
    language: view.language || 'unknown',
    device: view.device || 'unknown',
    browser: view.browser || 'unknown',
    os: view.os || 'unknown',
  }
  const has = (name: FilterName, value: string) => {
    if (name === 'section') return `${view.path}/`.startsWith(value === '/' ? '/' : `${value}/`)
    if (name !== 'campaign') return own[name] === value
    const parts = view.campaign === '' ? ['unknown'] : view.campaign.split('&')
    return value.split('&').every((part) => parts.includes(part.toLowerCase()))
  }
  return Object.entries(chosen).every(([key, wanted]) => {
    const name = key as FilterName
    const [any, not] = [wanted.filter((one) => !one.startsWith('!')), wanted.filter((one) => one.startsWith('!'))]
    return (any.length === 0 || any.some((one) => has(name, one))) && !not.some((one) => has(name, one.slice(1)))
  })
}

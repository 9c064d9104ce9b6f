// Page views of a project for the visitors page: people, AI agents, crawlers, missing pages, and texts that attack a page
// which shows them. No view is near the first or the last day of a preset, so that a midnight changes no number.

import type { PageView } from '../../../src/analytics/page-view.ts'
import { pageView } from '../../support/page-views.ts'
import { createRandom, type Random } from '../../support/random.ts'

const dayMs = 86_400_000

export const attack = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
export const longPath = `/reference/${'a-long-name-of-a-page/'.repeat(60)}end`

type Pair = readonly [agent: string, operator: string]

const agents: readonly [Pair, ...Pair[]] = [
  ['ChatGPT-User', 'OpenAI'],
  ['Claude-User', 'Anthropic'],
  ['Claude Code', 'Anthropic'],
  ['', ''],
  [attack, 'Evil {{7*7}}'],
]

/** The days that the tests look at: closed, and recording began before those that they are compared with. */
export function daysAround(now: number) {
  const day = (ago: number) => new Date(now - ago * dayMs).toISOString().slice(0, 10)
  return { from: day(27), to: day(10) }
}

export function createTraffic(projectId: string, now: number): readonly PageView[] {
  const random = createRandom(11)
  const first = pageView({ projectId, time: now - 50 * dayMs, path: '/', visitor: 1n })
  const others = Array.from({ length: 900 }, () => {
    const ago = random.chance(0.7) ? 12 + random.int(13) : 33 + random.int(10)
    const base = { projectId, time: now - ago * dayMs, path: pathOf(random), visitor: BigInt(1 + random.int(300)) }
    const isDownload = random.chance(0.05)
    const file = isDownload ? { isDownload, path: `/files/app-${random.int(4)}.zip` } : {}
    return pageView({ ...base, ...file, status: random.chance(0.06) ? 404 : 200, ...clientOf(random) })
  })
  return [first, ...others]
}

function pathOf(random: Random): string {
  const few = ['/', '/quickstart', '/d%C3%A9but', longPath, `/${encodeURIComponent(attack)}`, '/%E2%80%AEgnp'] as const
  return random.chance(0.5) ? random.pick(few) : `/p/${random.int(70)}`
}

function clientOf(random: Random): Partial<PageView> {
  const kind = random.int(10)
  if (kind === 0)
    return {
      category: 'search',
      agent: 'Googlebot',
      operator: 'Google',
      verified: random.pick(['address', 'failed'] as const),
    }
  if (kind > 3)
    return {
      category: 'browser',
      referrer: random.pick(['', '', 'news.example', 'www.google.de', 'google.co.uk', 'chat.openai.com', attack]),
    }
  const [agent, operator] = random.pick(agents)
  const verified = operator === '' ? 'none' : random.pick(['address', 'address', 'failed'] as const)
  return { category: 'ai_assistant', agent, operator, verified }
}

type Sections = { readonly projectId: string; readonly siteId: string; readonly now: number }

/** Page views of two sections, by people from two countries and two agents; one of the site, and one of a missing page. */
export function createSections({ projectId, siteId, now }: Sections): readonly PageView[] {
  const base = { projectId, time: now - 15 * 86_400_000 }
  const people = ['/guides', '/guides/install', '/guides/install', '/guides/linux/arm', '/api', '/api', '/'].map(
    (page, at) =>
      pageView({
        ...base,
        path: page,
        visitor: BigInt(1 + (at % 5)),
        referrer: 'news.example',
        country: at % 2 === 0 ? 'DE' : 'FR',
      }),
  )
  const agents = ['/guides', '/guides/install', '/api'].flatMap((page, at) =>
    [
      ['ChatGPT-User', 'OpenAI'],
      ['Claude-User', 'Anthropic'],
    ].map(([agent = '', operator = ''], of) =>
      pageView({ ...base, path: page, visitor: BigInt(20 + 3 * at + of), category: 'ai_assistant', agent, operator }),
    ),
  )
  const claude = { category: 'ai_assistant', agent: 'Claude-User', operator: 'Anthropic' } as const
  const markdown = ['/llms.txt', '/llms.txt', '/guides'].map((page) =>
    pageView({ ...base, ...claude, path: page, visitor: 40n, representation: 'markdown' }),
  )
  const ofSite = pageView({ ...base, path: '/api/keys', visitor: 1n, siteId })
  const missing = pageView({ ...base, path: '/guides/old', visitor: 9n, status: 404 })
  return [...people, ...agents.slice(0, -1), ...markdown, ofSite, missing]
}

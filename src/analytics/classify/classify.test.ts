import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { categories, defaultClasses } from '../category.ts'
import { signalHeaders } from '../page-view.ts'
import { agents } from './agents.ts'
import { aiCrawlers } from './ai-crawlers.ts'
import { browsers, chrome, firefox, safari } from './browsers.fixture.ts'
import { createClassify } from './cached.ts'
import { type Client, classify } from './classify.ts'
import { crawlers } from './crawlers.ts'

const known = [...aiCrawlers, ...crawlers]
const rows = [...known, ...agents]

const clientOf = (client: Partial<Client>): Client => ({
  userAgent: '',
  signals: {},
  source: 'server',
  scheme: 'https',
  representation: 'html',
  ...client,
})

for (const { id, category, agent, operator, example } of rows) {
  test(`the row ${id} labels its example`, () => {
    for (const representation of ['html', 'markdown'] as const) {
      const label = classify(clientOf({ userAgent: example, source: 'log', representation }))
      assert.deepEqual(label, { rule: id, category, agent, operator })
    }
  })
}

test('every id occurs once, and every pattern is in lower case', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { pattern } of rows) {
    const text = typeof pattern === 'string' ? pattern : pattern.source.replaceAll(/\\[a-zA-Z]/g, '')
    assert.equal(text, text.toLowerCase())
    if (typeof pattern !== 'string') assert.equal(pattern.flags, '')
  }
})

test('a crawler of ours is neither, an agent of ours is ai', () => {
  for (const { category } of known) assert.equal(defaultClasses[category], 'neither')
  for (const { category } of agents) assert.equal(defaultClasses[category], 'ai')
})

test('people in browsers and in browsers of apps are people', () => {
  for (const userAgent of browsers) {
    assert.equal(classify(clientOf({ userAgent, source: 'log' })).category, 'browser', userAgent)
  }
})

const others: readonly (readonly [userAgent: string, category: string, rule?: string])[] = [
  ['', 'unknown', 'empty'],
  [' \t', 'unknown', 'empty'],
  ['-', 'unknown', 'unknown'],
  ['Mozilla/5.0', 'unknown', 'unknown'],
  ['curl/8.14.1', 'library'],
  ['Wget/1.25.0', 'library'],
  ['python-requests/2.32.5', 'library'],
  ['axios/1.12.2', 'library'],
  ['node', 'library'],
  ['undici', 'library'],
  ['Go-http-client/2.0', 'library'],
  ['okhttp/5.1.0', 'library'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
    'automation',
  ],
  ['Mozilla/5.0 (compatible; BrandNewBot/0.1; +https://new.example)', 'crawler', 'isbot:crawler'],
  // Claude Code under the name of its operator's fetcher, and a tool that an agent started.
  ['glab/v1.97.0 (linux, amd64) Coding-Agent/claude-code', 'ai_coding_agent', 'claude-code'],
]

test('all other clients are classified by isbot and by shape', () => {
  for (const [userAgent, category, rule] of others) {
    const label = classify(clientOf({ userAgent, source: 'log' }))
    assert.equal(label.category, category, userAgent)
    if (rule !== undefined) assert.equal(label.rule, rule, userAgent)
  }
})

test('a library and a browser that ask for Markdown are ai, a crawler that does is not', () => {
  const ask = (userAgent: string) => classify(clientOf({ userAgent, source: 'log', representation: 'markdown' }))
  assert.deepEqual(ask('curl/8.14.1'), { category: 'markdown', agent: 'curl', operator: '', rule: 'markdown' })
  assert.equal(ask('undici').category, 'markdown')
  assert.equal(ask(chrome).category, 'markdown')
  assert.equal(ask('').category, 'markdown')
  assert.equal(ask('Mozilla/5.0 (compatible; BrandNewBot/0.1; +https://new.example)').category, 'crawler')
  assert.equal(
    ask('Mozilla/5.0 (compatible; DataForSeoBot/1.0; +https://dataforseo.com/dataforseo-bot)').category,
    'seo',
  )
})

test('a word in the name of a device makes no crawler', () => {
  for (const device of ['CUBOT X30', 'Spider X Pro', 'iRobot Tab', 'Viber', 'Googlebot']) {
    const userAgent = `Mozilla/5.0 (Linux; Android 13; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36`
    assert.equal(classify(clientOf({ userAgent, source: 'log' })).category, 'browser', device)
  }
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom(...rows.map(({ example }) => example), ...browsers, ...others.map(([userAgent]) => userAgent)),
)

const anyClient: fc.Arbitrary<Client> = fc.record({
  userAgent: anyText,
  signals: fc.dictionary(
    fc.constantFrom(...signalHeaders),
    fc.oneof(anyText, fc.constantFrom('text/markdown, */*', '"https://chatgpt.com"', '"Chromium";v="142"', 'cors')),
    { maxKeys: 4 },
  ),
  source: fc.constantFrom('browser', 'server', 'log'),
  scheme: fc.constantFrom('http', 'https', undefined),
  representation: fc.constantFrom('html', 'markdown'),
})

test('any client gets a label of the table, the same every time, cached or not', () => {
  const cached = createClassify(3)
  fc.assert(
    fc.property(anyClient, (client) => {
      const label = classify(client)
      assert.ok(categories.includes(label.category))
      assert.ok(label.rule.length > 0 && label.rule.length < 100)
      assert.deepEqual(cached(client), label)
      assert.deepEqual(cached(client), label)
    }),
    { numRuns: 3_000 },
  )
})

test('the memory forgets who has not come for the longest, and nothing changes by that', () => {
  const asked: string[] = []
  const cached = createClassify(2, (client) => {
    asked.push(client.userAgent.slice(0, 1_024))
    return classify(client)
  })
  const long = 'x'.repeat(5_000)
  for (const userAgent of [chrome, firefox, chrome, safari, chrome, firefox, long, long, firefox]) {
    assert.deepEqual(cached(clientOf({ userAgent })), classify(clientOf({ userAgent })))
  }
  const short = long.slice(0, 1_024)
  assert.deepEqual(asked, [chrome, firefox, safari, firefox, short, short])
})

test('the cache key contains every input of the rules', () => {
  const cached = createClassify()
  const one = clientOf({ userAgent: chrome, signals: { accept: 'text/html' } })
  const others: readonly Partial<Client>[] = [
    {},
    { scheme: 'http' },
    { source: 'log' },
    { representation: 'markdown' },
    { signals: { accept: 'text/markdown' } },
    { userAgent: firefox },
  ]
  for (const other of others) assert.deepEqual(cached({ ...one, ...other }), classify({ ...one, ...other }))
})

test('a user agent that names a crawler and an assistant is the crawler', () => {
  const userAgent = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; GPTBot/1.3)'
  assert.equal(classify(clientOf({ userAgent })).rule, 'gptbot')
})

test('a user agent of a megabyte is classified by its first 1,024 units', () => {
  for (const part of [
    ' ',
    '(',
    'a/1.',
    'Mozilla/5.0 (',
    'contextualbot',
    'spider',
    '; android 9;',
    '\0',
    'chatgpt/1',
  ]) {
    const userAgent = part.repeat(Math.ceil(1_048_576 / part.length))
    assert.deepEqual(classify(clientOf({ userAgent })), classify(clientOf({ userAgent: userAgent.slice(0, 1_024) })))
  }
  assert.equal(classify(clientOf({ userAgent: `${' '.repeat(1_024)}GPTBot/1.0` })).rule, 'empty')
})

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

test('a browser is not taken for an agent that has a constant string like it', () => {
  const mac = (system: string, version: string) =>
    `Mozilla/5.0 (Macintosh; Intel Mac OS X ${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.124 Safari/537.36'
  for (const userAgent of [mac('10_15_7', '122.0.0.0'), mac('14_7_2', '122.0.6261.94'), windows])
    assert.equal(classify(clientOf({ userAgent, source: 'log' })).category, 'browser', userAgent)
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

const appended = (name: string) => `${chrome} ${name}`
const inside = (name: string) => `Mozilla/5.0 (compatible; ${name})`

/** Labels of the list of 2026-11-21, and those of today. */
const relabelled: readonly (readonly [userAgent: string, before: string, after: string])[] = [
  // Assistants that fetch for a person.
  [inside('TongyiBot/1.0'), 'crawler', 'ai_assistant'],
  [inside('YiyanBot/1.0'), 'crawler', 'ai_assistant'],
  [inside('LinerBot/1.0'), 'ai_training', 'ai_assistant'],
  [inside('bigsur.ai'), 'ai_training', 'ai_assistant'],
  [inside('PhindBot'), 'ai_search', 'ai_assistant'],
  [inside('ChatGPT-Browser/1.0'), 'unknown', 'ai_assistant'],
  [inside('Character-AI/1.0'), 'unknown', 'ai_assistant'],
  [inside('Google-Pinpoint'), 'unknown', 'ai_assistant'],
  [inside('AmazonBuyForMe'), 'automation', 'ai_assistant'],
  [inside('Poggio-Citations'), 'ai_training', 'ai_assistant'],
  [inside('KlaviyoAIBot'), 'crawler', 'ai_assistant'],
  [inside('amazon-QBusiness'), 'unknown', 'ai_assistant'],
  [inside('AI2Bot-DeepResearchEval'), 'ai_training', 'ai_assistant'],
  ['NotebookLM', 'library', 'ai_assistant'],
  [inside('Operator'), 'unknown', 'ai_assistant'],
  // Machines with the user agent of a browser.
  [
    'Mozilla/5.0 (Linux; Android 8.0; Pixel 2 Build/OPD3.170816.012; DuplexWeb-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/74.0.3729.131 Mobile Safari/537.36',
    'browser',
    'crawler',
  ],
  ['Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) HLB/1.247', 'browser', 'monitor'],
  ['Mozilla/5.0 (platform; rv:geckoversion) Gecko/geckotrail Firefox/firefoxversion', 'browser', 'automation'],
  ['Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/26.0.0', 'browser', 'automation'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:21.0) Gecko/20100101 SlimerJS/0.9.6', 'browser', 'automation'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.21 (KHTML, like Gecko) akregator/4.11.5 Safari/537.21',
    'browser',
    'feed',
  ],
  [appended('Assetnote/1.0.0'), 'browser', 'crawler'],
  [appended('Lightpanda/1.0'), 'browser', 'automation'],
  [appended('NotebookLM/1.0'), 'browser', 'ai_assistant'],
  [appended('Mozilla-Tabstack/1.0'), 'browser', 'crawler'],
  [appended('UseAI/1.0'), 'browser', 'ai_assistant'],
  [appended('GeistHaus-PageFetcher/1.0'), 'browser', 'ai_assistant'],
  [appended('amazon-kendra/1.0'), 'browser', 'ai_search'],
  [appended('amazon-QBusiness/1.0'), 'browser', 'ai_assistant'],
  [appended('Awario/1.0'), 'browser', 'crawler'],
  [appended('AgentTimes/1.0'), 'browser', 'crawler'],
  [appended('AIWebIndex/1.0'), 'browser', 'ai_training'],
  [appended('LCC/1.0'), 'browser', 'crawler'],
  [appended('OpenAI/1.0'), 'browser', 'crawler'],
  [appended('Panscient/1.0'), 'browser', 'ai_training'],
  [appended('Terra Cotta/1.0'), 'browser', 'ai_training'],
  // Names that no list has.
  [appended('AnthropicLens/0.1'), 'browser', 'crawler'],
  [appended('AcmeAI/2.0'), 'browser', 'crawler'],
  [appended('acme-agent/2.0'), 'automation', 'automation'],
  [appended('PageFetcher/2.0'), 'browser', 'crawler'],
  // Feed readers that were libraries.
  ['UniversalFeedParser/5.2.1 +https://code.google.com/p/feedparser/', 'library', 'feed'],
  ['Liferea/1.10.6 (Linux; en_US.UTF8; http://liferea.sf.net/) AppleWebKit (KHTML, like Gecko)', 'library', 'feed'],
  [
    'LiveJournal.com (webmaster@livejournal.com; for http://www.livejournal.com/users/x/; 9 readers)',
    'library',
    'feed',
  ],
  ['NetNewsWire/4.0.0 (Mac OS X; http://netnewswireapp.com/mac/; gzip-happy)', 'library', 'feed'],
  ['AcmeRSS/1.0', 'library', 'feed'],
  // Crawlers in the wrong category.
  ['Mozilla/5.0 (compatible; Exabot/3.0; +http://www.exabot.com/go/robot)', 'ai_search', 'search'],
  [inside('Exabot-Images/1.0'), 'ai_search', 'search'],
  [inside('ExaBot/1.0'), 'ai_search', 'ai_search'],
  ['Mozilla/5.0 (compatible; Alexabot/1.0; +http://www.alexa.com/help/certifyscan)', 'ai_search', 'seo'],
  [inside('Applebot/0.1; +http://www.apple.com/go/applebot'), 'ai_training', 'search'],
  [inside('Cotoyogi/4.0'), 'seo', 'ai_training'],
  [inside('FriendlyCrawler'), 'crawler', 'ai_training'],
  [inside('WARDBot/1.0'), 'seo', 'ai_training'],
  [inside('VelenPublicWebCrawler/1.0'), 'seo', 'ai_training'],
  ['panscient.com', 'seo', 'ai_training'],
  [inside('Sidetrade indexer bot'), 'seo', 'ai_training'],
  [inside('Cloudflare-AutoRAG'), 'ai_training', 'ai_search'],
  [inside('Anomura'), 'ai_training', 'ai_search'],
  [inside('Channel3Bot'), 'ai_training', 'ai_search'],
  [inside('atlassian-bot'), 'ai_training', 'ai_search'],
  [inside('QueritBot'), 'crawler', 'ai_search'],
  [inside('Bravebot'), 'crawler', 'search'],
]

test('a machine with the name of a browser, and other wrong labels, are right', () => {
  for (const [userAgent, before, after] of relabelled) {
    assert.equal(classify(clientOf({ userAgent, source: 'log' })).category, after, `${userAgent}, was ${before}`)
  }
})

test('a named operator of crawlers is no person; an app with such letters is one', () => {
  const label = classify(clientOf({ userAgent: appended('OpenAI/1.0'), source: 'log' }))
  assert.deepEqual(label, { category: 'crawler', agent: '', operator: 'OpenAI', rule: 'operator:OpenAI' })
  const device = 'Mozilla/5.0 (Linux; Android 13; AcmeAI OpenAI Agent) AppleWebKit/537.36 (KHTML, like Gecko)'
  for (const name of ['Maison/2.0', 'HUAWEI/1', 'Agenda/3.1', 'SamsungBrowser/29.0', 'DuckDuckGo/5', 'GSA/392.0']) {
    const userAgent = `${device} Chrome/142.0.0.0 Mobile Safari/537.36 ${name}`
    assert.equal(classify(clientOf({ userAgent, source: 'log' })).category, 'browser', name)
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

test('the browser inside Facebook is one, although a list calls it a preview', () => {
  const webView =
    'Mozilla/5.0 (Linux; Android 16; Pixel 10 Pro XL Build/CP1A.260305.018; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/146.0.7680.174 Mobile Safari/537.36 MetaIAB Facebook'
  assert.equal(classify(clientOf({ userAgent: webView, source: 'log' })).category, 'browser')
  assert.equal(classify(clientOf({ userAgent: 'MetaIAB Facebook', source: 'log' })).category, 'preview')
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

// Measures how many clients per second Docent classifies. Most clients are new; a few repeat, as on a real site. Run it
// with `node bench/classify.ts`.

import crawlerUserAgents from 'crawler-user-agents'
import { browsers, chrome } from '../src/analytics/classify/browsers.fixture.ts'
import { createClassify } from '../src/analytics/classify/cached.ts'
import { type Client, classify } from '../src/analytics/classify/classify.ts'

const signals = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en', 'sec-ch-ua': '"Chromium";v="142"' }
const toClient = (userAgent: string): Client => ({
  userAgent,
  signals,
  source: 'server',
  scheme: 'https',
  representation: 'html',
})

const people = browsers.map(toClient)
const crawlers = crawlerUserAgents.flatMap(({ instances }) => instances).map(toClient)
const long = [toClient(chrome.repeat(10))]

function measure(what: string, clients: readonly Client[], label: (client: Client) => unknown): void {
  const rounds = Math.ceil(200_000 / clients.length)
  for (const client of clients) label(client)
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) for (const client of clients) label(client)
  const seconds = (performance.now() - start) / 1_000
  const rate = Math.round((rounds * clients.length) / seconds)
  console.log(`${what.padEnd(44)} ${rate.toLocaleString('en').padStart(12)} a second`)
}

measure('browsers, not remembered', people, classify)
measure('crawlers of the list, not remembered', crawlers, classify)
measure('1,024 characters, not remembered', long, classify)
measure('browsers, remembered', people, createClassify())
measure('crawlers of the list, remembered', crawlers, createClassify())

// The requests of one visit: a person reads some pages with their assets, an agent fetches the pages that it needs, and a
// crawler walks through the site. Knows nothing about days and hours.

import { assistants, crawlers, scanners, slackbot, tools, type TrafficClient, uptimeRobot } from './clients.ts'
import { assets, host, missing, type Page, pageAssets, pages, redirects, toMarkdownPath } from './pages.ts'
import { type Random, weighted } from './random.ts'
import type { LoggedRequest } from './request.ts'

/** The visit of one client. `time` advances with each request. */
export type Visit = {
  readonly random: Random
  readonly client: TrafficClient
  readonly address: string
  readonly add: (request: LoggedRequest) => void
  time: number
}

const site = `https://${host}`
const pickPage = weighted(pages)
const pickReferrer = weighted([
  { weight: 44, from: '' },
  { weight: 30, from: 'https://www.google.com/' },
  { weight: 9, from: 'https://acme.example.com/' },
  { weight: 6, from: 'https://github.com/' },
  { weight: 4, from: 'https://chatgpt.com/' },
  { weight: 3, from: 'https://duckduckgo.com/' },
  { weight: 2, from: 'https://www.bing.com/' },
  { weight: 1, from: 'https://news.ycombinator.com/' },
])

type Get = Partial<Pick<LoggedRequest, 'method' | 'status' | 'bytes' | 'referrer' | 'page' | 'representation'>>

function get(visit: Visit, target: string, wanted: Get = {}): void {
  const { random, client, address, time } = visit
  const { method = 'GET', status = 200, bytes = 500, referrer = '', page, representation = 'html' } = wanted
  visit.add({ time, address, method, target, status, bytes, referrer, client, page, representation })
  visit.time += 40 + random.below(900)
}

function read(visit: Visit, page: Page, wanted: Get = {}): void {
  get(visit, page.path, { page: page.path, bytes: page.bytes, ...wanted })
}

function readMarkdown(visit: Visit, page: Page): void {
  const bytes = Math.round(page.bytes / 3)
  get(visit, toMarkdownPath(page.path), { page: page.path, bytes, representation: 'markdown' })
}

/** `isKnown`: the person has visited before, so the shared assets are in the browser's cache. */
export function visitAsPerson(visit: Visit, isKnown: boolean): void {
  const { random } = visit
  let referrer = pickReferrer(random.next()).from
  let needsAssets = !isKnown
  for (let n = 0; n < 12; n += 1) {
    const page = pickPage(random.next())
    arrive(visit, page, { referrer, status: isKnown && random.chance(0.15) ? 304 : 200 })
    if (needsAssets || random.chance(0.1)) fetchAssets(visit, page)
    needsAssets = false
    if (random.chance(0.48)) return
    visit.time += 4_000 + random.below(170_000)
    referrer = site + page.path
  }
}

/** Some people arrive at an old URL, through a broken link, or with campaign parameters in the query. */
function arrive(
  visit: Visit,
  page: Page,
  { referrer, status }: { readonly referrer: string; readonly status: number },
) {
  const { random } = visit
  const bytes = status === 304 ? 0 : page.bytes
  const kind = random.next()
  if (kind < 0.02) {
    const [source, destination] = redirects[random.below(redirects.length)] ?? redirects[0]
    get(visit, source, { status: 308, bytes: 0, referrer })
    get(visit, destination, { page: destination, bytes: page.bytes, referrer })
    return
  }
  if (kind < 0.035 && page.path !== '/') get(visit, `${page.path}/`, { status: 308, bytes: 0, referrer })
  if (kind > 0.98) {
    const path = missing[random.below(missing.length)] ?? missing[0]
    get(visit, path, { page: path, status: 404, bytes: 2_210, referrer })
    visit.time += 3_000
  }
  const query = kind > 0.94 && kind < 0.97 ? '?utm_source=newsletter&utm_medium=email' : ''
  get(visit, page.path + query, { page: page.path, status, bytes, referrer })
}

function fetchAssets(visit: Visit, page: Page): void {
  const referrer = site + page.path
  for (const [path, bytes] of assets) get(visit, path, { bytes, referrer })
  const own = pageAssets.get(page.path)
  if (own) get(visit, own[0], { bytes: own[1], referrer })
}

/** A coding agent: sometimes reads the list of pages first, then reads some pages as Markdown. */
export function visitAsAgent(visit: Visit): void {
  const { random } = visit
  if (random.chance(0.25)) get(visit, '/llms.txt', { page: '/llms.txt', bytes: 1_830, representation: 'markdown' })
  const count = 1 + random.below(4)
  for (let n = 0; n < count; n += 1) readMarkdown(visit, pickPage(random.next()))
}

/** An assistant in a conversation: reads one page or a few, mostly as HTML. */
function visitAsAssistant(visit: Visit): void {
  const { random } = visit
  const count = random.chance(0.7) ? 1 : 2 + random.below(2)
  for (let n = 0; n < count; n += 1) {
    const page = pickPage(random.next())
    if (random.chance(0.3)) readMarkdown(visit, page)
    else read(visit, page)
  }
}

/** A crawler: sometimes reads robots.txt first, then reads random pages, whether they are popular or not. */
function visitAsCrawler(visit: Visit): void {
  const { random } = visit
  if (random.chance(0.3)) get(visit, '/robots.txt', { bytes: 180 })
  const count = 1 + random.below(6)
  for (let n = 0; n < count; n += 1) {
    const page = pages[random.below(pages.length)] as Page
    read(visit, page, random.chance(0.2) ? { status: 304, bytes: 0 } : {})
    visit.time += random.below(20_000)
  }
}

const probedPaths = [
  '/.env',
  '/.git/config',
  '/wp-login.php',
  '/xmlrpc.php',
  '/phpmyadmin/index.php',
  '/server-status.php',
]

function visitAsScanner(visit: Visit): void {
  const count = 2 + visit.random.below(4)
  for (let n = 0; n < count; n += 1) {
    const target = probedPaths[visit.random.below(probedPaths.length)] ?? '/.env'
    get(visit, target, { status: 404, bytes: 2_210 })
  }
}

function visitAsTool(visit: Visit): void {
  const { client, random } = visit
  const page = pickPage(random.next())
  if (client.category === 'library' && random.chance(0.3)) readMarkdown(visit, page)
  else read(visit, page)
}

function visitAsMonitor(visit: Visit): void {
  const [home] = pages as readonly [Page, ...Page[]]
  if (visit.random.chance(0.5)) read(visit, home, { method: 'HEAD', bytes: 0 })
  else read(visit, home)
}

export type Kind = {
  readonly weight: number
  readonly clients: readonly TrafficClient[]
  readonly go: (visit: Visit) => void
}

/** People start assistants, so assistants come at the same hours. */
export const assistantKind: Kind = { weight: 1, clients: assistants, go: visitAsAssistant }

/** Machines come at all hours. */
export const machineKinds: readonly Kind[] = [
  { weight: 40, clients: crawlers, go: visitAsCrawler },
  { weight: 18, clients: [uptimeRobot], go: visitAsMonitor },
  { weight: 10, clients: [slackbot], go: (visit) => read(visit, pickPage(visit.random.next())) },
  { weight: 20, clients: tools, go: visitAsTool },
  { weight: 6, clients: scanners, go: visitAsScanner },
]

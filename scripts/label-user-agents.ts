// Writes docs/user-agents.md and docs/user-agents.tsv: the category of every known user agent, so that a review shows which
// ones a change of the rules moves. Run `node scripts/label-user-agents.ts`; a test compares the files.

import { writeFile } from 'node:fs/promises'
import crawlerUserAgents from 'crawler-user-agents'
import { categories, type Category, defaultClasses } from '../src/analytics/category.ts'
import { agents } from '../src/analytics/classify/agents.ts'
import { aiCrawlers } from '../src/analytics/classify/ai-crawlers.ts'
import { browsers } from '../src/analytics/classify/browsers.fixture.ts'
import { classify, listDate } from '../src/analytics/classify/classify.ts'
import { crawlers } from '../src/analytics/classify/crawlers.ts'
import { agentHeaderRules, automationHeaderRules } from '../src/analytics/classify/headers.ts'
import { loadRanges } from '../src/analytics/classify/verify/load-ranges.ts'
import { rangeSources } from '../src/analytics/classify/verify/range-sources.ts'
import type { Label } from '../src/analytics/page-view.ts'

type Labelled = Label & { readonly from: string; readonly userAgent: string }

const rows = [...aiCrawlers, ...crawlers, ...agents]

function labelAll(): readonly Labelled[] {
  const sources = {
    list: crawlerUserAgents.flatMap(({ instances }) => instances),
    rows: rows.map(({ example }) => example),
    browsers,
  }
  return Object.entries(sources).flatMap(([from, userAgents]) =>
    [...new Set(userAgents)].map((userAgent) => ({ from, userAgent, ...labelOf(userAgent) })),
  )
}

/** Classifies by the user agent only, as for a log. */
function labelOf(userAgent: string): Label {
  return classify({ userAgent, signals: {}, source: 'log', scheme: undefined, representation: 'html' })
}

/** One line per instance of `crawler-user-agents`: category, rule, user agent. */
export function toListing(): string {
  const lines = labelAll()
    .filter(({ from }) => from === 'list')
    .map(({ category, rule, userAgent }) => `${category}\t${rule}\t${userAgent.replaceAll(/\s+/g, ' ')}`)
  return `category\trule\tuser agent\n${[...new Set(lines)].toSorted().join('\n')}\n`
}

export async function toPage(): Promise<string> {
  const all = labelAll()
  return [
    intro(all),
    section('By category', byCategory(all)),
    section('Listed crawlers with another category', leftOver(all)),
    section('Rows by name', byName()),
    section('Rules by headers', byHeader()),
    section('Published addresses', await byAddress()),
  ].join('\n')
}

function intro(all: readonly Labelled[]): string {
  const count = (from: string) => all.filter((one) => one.from === from).length
  return `# User agents

How clients are classified, by the list of ${listDate}. This page is written by \`scripts/label-user-agents.ts\`; a test
compares it.

The first matching rule decides the category of a page view: crawlers by name, AI agents by name, the crawlers of
\`crawler-user-agents\`, other clients that call themselves crawlers or feed readers, browsers that name a company with
crawlers or agents, AI agents by their headers, clients that ask for Markdown, libraries and automated browsers, browsers,
and the rest. Only the first 1,024 characters of a user agent count.

A browser's user agent with the name of such a company (\`OpenAI/1.0\`) or with a word of machines (\`UseAI\`,
\`PageFetcher\`) after its own is not a person. Only product names count: devices and apps have any name. The browsers of
Google, Samsung, DuckDuckGo and others are people, and so is a product that calls itself a browser. Internet Explorer before
11 is no browser: what sends its user agent today is a script. In the log of an older year it was a person.

This page covers the ${count('list')} user agents that \`crawler-user-agents\` lists as instances, the ${count('rows')} examples of our
own rows, and ${count('browsers')} browsers of people. The last resort, \`isbot\`, has no examples and gives no names. All are
classified as in an access log, by the user agent alone. [user-agents.tsv](user-agents.tsv) has one line per instance.

When you send page views from a server, pass on every header that Docent keeps, or no header at all: a Chrome with
\`Accept\`, but without client hints and fetch metadata, counts as an automated browser. The scheme is not stored, so
reclassifying applies the rules that need https only to page views that one of them matched before. A page view without
user agent and signals keeps its category.
`
}

function byCategory(all: readonly Labelled[]): string {
  const count = (category: Category, from: string) =>
    all.filter((one) => one.category === category && one.from === from).length
  const lines = categories.map((category) => {
    const counts = ['list', 'rows', 'browsers'].map((from) => String(count(category, from)))
    return [`\`${category}\``, defaultClasses[category], ...counts]
  })
  return table(['category', 'class', 'crawler-user-agents', 'our examples', 'browsers'], lines)
}

/** Listed crawlers that are classified as browsers, or not at all. */
function leftOver(all: readonly Labelled[]): string {
  const left = all.filter(({ from, category }) => from === 'list' && (category === 'browser' || category === 'unknown'))
  const lines = left.map(({ category, userAgent }) => [`\`${category}\``, `\`${userAgent.replaceAll(/[|`]/g, ' ')}\``])
  return table(['category', 'user agent'], lines)
}

function byName(): string {
  return table(
    ['row', 'category', 'agent', 'operator'],
    rows.map(({ id, category, agent, operator }) => [`\`${id}\``, `\`${category}\``, agent, operator || '-']),
  )
}

function byHeader(): string {
  const lines = [...agentHeaderRules, ...automationHeaderRules].map(({ id, label, reason }) => {
    return [`\`${id}\``, `\`${label.category}\``, label.agent || '-', reason]
  })
  return table(['rule', 'category', 'agent', 'reason'], lines)
}

async function byAddress(): Promise<string> {
  const snapshots = await loadRanges(undefined)
  const lines = rangeSources.map(({ id, operator, agents, address }) => {
    const snapshot = snapshots.find((one) => one.id === id)
    return [
      operator,
      agents.join(', '),
      address,
      snapshot?.date ?? 'fetched only',
      String(snapshot?.prefixes.length ?? '-'),
    ]
  })
  return table(['operator', 'agents', 'published at', 'built in', 'prefixes'], lines)
}

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`
}

function table(heading: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[row(heading), row(heading.map(() => '---')), ...lines.map(row)].join('\n')}\n`
}

if (import.meta.main) {
  await writeFile(new URL('../docs/user-agents.md', import.meta.url), await toPage())
  await writeFile(new URL('../docs/user-agents.tsv', import.meta.url), toListing())
}

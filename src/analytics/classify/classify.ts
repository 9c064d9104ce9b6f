// Classifies a client by the first rule that matches, using only its own request. The order is that of the contract:
// known crawlers, AI agents by name, AI agents by their headers, clients that ask for Markdown, browsers, the rest.
// Pure and total: any text is a valid user agent. `createClassify` in cached.ts does the same, faster.

import { type Label, maxSignalLength, maxUserAgentLength } from '../page-view.ts'
import type { PageViewSource, Representation, SignalHeader, Signals } from '../page-view.ts'
import { agents } from './agents.ts'
import { aiCrawlers } from './ai-crawlers.ts'
import { hasBrowserShape } from './browser.ts'
import { findListed } from './crawler-list.ts'
import { crawlers } from './crawlers.ts'
import { findGeneral } from './general.ts'
import { agentHeaderRules, automationHeaderRules, type Evidence, findHeaderRule } from './headers.ts'
import { findOperator } from './operators.ts'
import { holds } from './rule.ts'

export type Client = {
  readonly userAgent: string
  readonly signals: Signals
  readonly source: PageViewSource
  readonly scheme: 'http' | 'https' | undefined
  /** `markdown`: the client asked for Markdown. */
  readonly representation: Representation
}

/** The date of the rules. It changes with every table, with their order, and with the lists of other publishers. */
export const listDate = '2026-11-24'

const ownRules = [...aiCrawlers, ...crawlers, ...agents]

export function classify(client: Client): Label {
  const userAgent = client.userAgent.slice(0, maxUserAgentLength)
  const lower = userAgent.toLowerCase()
  const own = ownRules.find(({ pattern }) => holds(pattern, lower))
  if (own) return { category: own.category, agent: own.agent, operator: own.operator, rule: own.id }
  const evidence = { lower, signals: bounded(client.signals), source: client.source, scheme: client.scheme }
  return classifyOther(userAgent, evidence, client.representation)
}

/** Labels a client that matches no row of Docent's own tables. */
function classifyOther(userAgent: string, evidence: Evidence, representation: Representation): Label {
  const isBrowser = hasBrowserShape(evidence.lower)
  const listed = findListed(userAgent, isBrowser)
  if (listed && !isTool(listed)) return listed
  const general = findGeneral(userAgent)
  if ((general === 'crawler' && !listed) || general === 'feed') return nameless(general, `isbot:${general}`)
  const named = isBrowser && !listed ? findOperator(userAgent) : undefined
  if (named) return named
  const agent = findHeaderRule(agentHeaderRules, evidence)
  if (agent) return agent
  if (representation === 'markdown') return { ...nameless('markdown', 'markdown'), agent: listed?.agent ?? '' }
  if (listed) return listed
  if (general) return nameless(general, `isbot:${general}`)
  if (isBrowser) return findHeaderRule(automationHeaderRules, evidence) ?? nameless('browser', 'browser')
  return nameless('unknown', evidence.lower.trim() === '' ? 'empty' : 'unknown')
}

/**
 * Decides whether anyone could use this client, such as curl or a headless browser. For these the requested form
 * counts: Markdown means an AI agent.
 */
function isTool({ category }: Label): boolean {
  return category === 'library' || category === 'automation'
}

function nameless(category: Label['category'], rule: string): Label {
  return { category, agent: '', operator: '', rule }
}

function bounded(signals: Signals): Signals {
  const entries = Object.entries(signals) as [SignalHeader, string][]
  if (entries.every(([, value]) => value.length <= maxSignalLength)) return signals
  return Object.fromEntries(entries.map(([name, value]) => [name, value.slice(0, maxSignalLength)]))
}

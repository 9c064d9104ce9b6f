// Agents that hide behind a browser's name, told by the headers that they send or leave out. Two kinds of rule:
// what is there (a wish for Markdown, a conversation's id, a signature) speaks for an AI agent, whoever reports it;
// what is missing speaks for a driven browser at most, and only where it cannot be an accident. A person taken for a
// machine is a worse mistake than a machine taken for a person, so these are few and narrow.

import type { PageViewSource, Signals } from '../page-view.ts'
import type { Label } from '../page-view.ts'
import { hasBrowserShape, hintedMajor, isWithoutHints, standaloneChrome } from './browser.ts'
import { ranksMarkdownAboveHtml } from './markdown.ts'

/** What the rules look at. `lower`: the user agent, bounded and in lower case. */
export type Evidence = {
  readonly lower: string
  readonly signals: Signals
  readonly source: PageViewSource
  readonly scheme: 'http' | 'https' | undefined
}

export type HeaderRule = {
  readonly id: string
  /** Why it is believed; shown in docs/user-agents.md. */
  readonly reason: string
  readonly label: Omit<Label, 'rule'>
  readonly holds: (evidence: Evidence) => boolean
}

const undeclared = { category: 'ai_undeclared', agent: '', operator: '' } as const
const automation = { category: 'automation', agent: '', operator: '' } as const

/** In this order. They hold for a browser's name, or where the header is an agent's own. */
export const agentHeaderRules: readonly HeaderRule[] = [
  {
    id: 'header:signature-chatgpt',
    reason: 'Signature-Agent names chatgpt.com: the agent of ChatGPT signs what it sends.',
    label: { category: 'ai_assistant', agent: 'ChatGPT agent', operator: 'OpenAI' },
    holds: ({ signals }) => /^"?https:\/\/chatgpt\.com"?$/.test(signals['signature-agent'] ?? ''),
  },
  {
    id: 'header:signature-google',
    reason: 'Signature-Agent names agent.bot.goog: the agent of Google signs what it sends.',
    label: { category: 'ai_assistant', agent: 'Google-Agent', operator: 'Google' },
    holds: ({ signals }) => /\bagent\.bot\.goog\b/.test(signals['signature-agent'] ?? ''),
  },
  {
    id: 'header:signature',
    reason: 'A browser sends no Signature-Agent: a signing agent under the name of one.',
    label: undeclared,
    holds: ({ lower, signals }) => hasBrowserShape(lower) && isThere(signals['signature-agent']),
  },
  {
    id: 'header:conversation',
    reason: 'X-Conversation-Id is sent by assistants, to tell conversations apart.',
    label: undeclared,
    holds: ({ signals }) => isThere(signals['x-conversation-id']),
  },
  {
    id: 'header:accept-cursor',
    reason: 'Exactly the Accept header of Cursor (and of ExaSearchBot) under the name of a browser.',
    label: { category: 'ai_undeclared', agent: 'Cursor', operator: 'Anysphere' },
    holds: ({ lower, signals }) =>
      hasBrowserShape(lower) &&
      signals.accept?.replaceAll(' ', '').toLowerCase() === 'text/markdown,text/plain;q=0.9,*/*;q=0.8',
  },
  {
    id: 'header:accept-markdown',
    reason: 'No browser ranks Markdown or plain text above HTML.',
    label: undeclared,
    holds: ({ lower, signals }) => hasBrowserShape(lower) && ranksMarkdownAboveHtml(signals.accept),
  },
]

/**
 * Only what a server saw itself, over https: browsers send client hints and fetch metadata to secure origins alone, a
 * log has hardly ever a header, and the headers of a tracker's call are not those of the page. Chrome on iOS and web
 * views are other engines and keep other habits. A sender of page views hands all headers on or none: who sends
 * `accept` and leaves out the others makes people of all Chromes look driven, and docs/user-agents.md says so.
 */
export const automationHeaderRules: readonly HeaderRule[] = [
  {
    id: 'header:chrome-without-hints',
    reason: 'Chrome sends Sec-CH-UA since 89 and Sec-Fetch-Mode since 76 over https: neither is there.',
    label: automation,
    holds: (evidence) => {
      const { lower, signals } = evidence
      if (!isSeen(evidence) || !isThere(signals.accept)) return false
      const isSilent = signals['sec-ch-ua'] === undefined && signals['sec-fetch-mode'] === undefined
      return isSilent && (standaloneChrome(lower) ?? 0) >= 89
    },
  },
  {
    id: 'header:chrome-other-version',
    reason: 'The version of Chrome in the user agent is another than that in Sec-CH-UA.',
    label: automation,
    holds: (evidence) => {
      const said = standaloneChrome(evidence.lower)
      const hinted = hintedMajor(evidence.signals['sec-ch-ua'] ?? '')
      return isSeen(evidence) && said !== undefined && hinted !== undefined && said !== hinted
    },
  },
  {
    id: 'header:hints-of-another',
    reason: 'Firefox and Safari do not send Sec-CH-UA: Chromium under their name.',
    label: automation,
    holds: (evidence) => isSeen(evidence) && isWithoutHints(evidence.lower) && isThere(evidence.signals['sec-ch-ua']),
  },
]

/** Those that need the scheme, which is not stored: labelling anew takes it from the label that stands. */
export const httpsRules: ReadonlySet<string> = new Set(automationHeaderRules.map(({ id }) => id))

export function findHeaderRule(rules: readonly HeaderRule[], evidence: Evidence): Label | undefined {
  if (evidence.source === 'browser') return undefined
  const rule = rules.find(({ holds }) => holds(evidence))
  return rule && { ...rule.label, rule: rule.id }
}

function isSeen({ source, scheme }: Evidence): boolean {
  return source === 'server' && scheme === 'https'
}

function isThere(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== ''
}

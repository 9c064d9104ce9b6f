// Recognises agents that use a browser's name, by the headers that they send or omit. There are two kinds of rule. A
// present header (a preference for Markdown, a conversation id, a signature) indicates an AI agent, for every source of
// page views. A missing header indicates at most an automated browser, and only where it cannot be an accident.
// Mistaking a person for a machine is worse than the reverse, so the rules are few and narrow.

import type { PageViewSource, Signals } from '../page-view.ts'
import type { Label } from '../page-view.ts'
import { hasBrowserShape, hintedMajor, isWithoutHints, standaloneChrome } from './browser.ts'
import { ranksMarkdownAboveHtml } from './markdown.ts'

/** The input of the rules. `lower` is the user agent, bounded and in lower case. */
export type Evidence = {
  readonly lower: string
  readonly signals: Signals
  readonly source: PageViewSource
  readonly scheme: 'http' | 'https' | undefined
}

export type HeaderRule = {
  readonly id: string
  /** The evidence for the rule; shown in docs/user-agents.md. */
  readonly reason: string
  readonly label: Omit<Label, 'rule'>
  readonly holds: (evidence: Evidence) => boolean
}

const undeclared = { category: 'ai_undeclared', agent: '', operator: '' } as const
const automation = { category: 'automation', agent: '', operator: '' } as const

/** Tried in this order. They match a browser's name, or a header that only agents send. */
export const agentHeaderRules: readonly HeaderRule[] = [
  {
    id: 'header:signature-chatgpt',
    reason: "Signature-Agent names chatgpt.com: ChatGPT's agent signs its requests.",
    label: { category: 'ai_assistant', agent: 'ChatGPT agent', operator: 'OpenAI' },
    holds: ({ signals }) => /^"?https:\/\/chatgpt\.com"?$/.test(signals['signature-agent'] ?? ''),
  },
  {
    id: 'header:signature-google',
    reason: "Signature-Agent names agent.bot.goog: Google's agent signs its requests.",
    label: { category: 'ai_assistant', agent: 'Google-Agent', operator: 'Google' },
    holds: ({ signals }) => /\bagent\.bot\.goog\b/.test(signals['signature-agent'] ?? ''),
  },
  {
    id: 'header:signature',
    reason: "Browsers send no Signature-Agent: this is a signing agent with a browser's name.",
    label: undeclared,
    holds: ({ lower, signals }) => hasBrowserShape(lower) && isThere(signals['signature-agent']),
  },
  {
    id: 'header:conversation',
    reason: 'Assistants send X-Conversation-Id to identify a conversation.',
    label: undeclared,
    holds: ({ signals }) => isThere(signals['x-conversation-id']),
  },
  {
    id: 'header:accept-cursor',
    reason: "This is exactly the Accept header of Cursor (and of ExaSearchBot), with a browser's name.",
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
 * Rules that match only requests that a server received itself over https: browsers send client hints and fetch
 * metadata to secure origins only, logs rarely contain headers, and the headers of the tracker's request are not those
 * of the page. Chrome on iOS and web views have other engines, which send other headers. A sender of page views must
 * pass on all headers or no headers: with `accept` alone, every Chrome looks automated. docs/user-agents.md says so.
 */
export const automationHeaderRules: readonly HeaderRule[] = [
  {
    id: 'header:chrome-without-hints',
    reason: 'Over https, Chrome sends Sec-CH-UA since 89 and Sec-Fetch-Mode since 76: both are missing.',
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
    reason: 'The Chrome version in the user agent differs from the one in Sec-CH-UA.',
    label: automation,
    holds: (evidence) => {
      const said = standaloneChrome(evidence.lower)
      const hinted = hintedMajor(evidence.signals['sec-ch-ua'] ?? '')
      return isSeen(evidence) && said !== undefined && hinted !== undefined && said !== hinted
    },
  },
  {
    id: 'header:hints-of-another',
    reason: 'Firefox and Safari do not send Sec-CH-UA: this is Chromium with their name.',
    label: automation,
    holds: (evidence) => isSeen(evidence) && isWithoutHints(evidence.lower) && isThere(evidence.signals['sec-ch-ua']),
  },
]

/** Rules that depend on the scheme. It is not stored, so reclassifying infers it from the existing label. */
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

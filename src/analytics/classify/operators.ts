// Recognises machines that add a name to a complete browser's user agent, and that no list knows yet: the name of a company
// that runs crawlers or agents, or a word that only a machine has in its name. Only product names count, not comments, in
// which makers name devices as they like. Operators that also make browsers or apps (Google, Samsung, DuckDuckGo) are not here.

import type { Label } from '../page-view.ts'

/** Names that no browser, app or device of a person has. The pattern is lower case and matches a whole product name. */
const operators: readonly (readonly [pattern: RegExp, operator: string])[] = [
  [/openai/, 'OpenAI'],
  [/anthropic|claude/, 'Anthropic'],
  [/mistral-?ai/, 'Mistral AI'],
  [/deepseek/, 'DeepSeek'],
  [/\bcohere\b/, 'Cohere'],
  [/hugging-?face/, 'Hugging Face'],
  [/commoncrawl/, 'Common Crawl'],
  [/diffbot/, 'Diffbot'],
  [/firecrawl/, 'Firecrawl'],
  [/tavily/, 'Tavily'],
  [/browserbase|stagehand/, 'Browserbase'],
  [/\bapify/, 'Apify'],
  [/bright-?data/, 'Bright Data'],
  [/\bzyte\b|scrapinghub/, 'Zyte'],
  [/ahrefs/, 'Ahrefs'],
  [/semrush/, 'Semrush'],
  [/censys/, 'Censys'],
  [/\bshodan\b/, 'Shodan'],
  [/cloudflare/, 'Cloudflare'],
]

/** In capitals as written: `UseAI/1.0`, `AIWebIndex`, `PageAgent/2`; not `HUAWEI`, `Maison`, `Agenda`. */
const machineWord = /(?:^|[a-z\d_.-])(?:AI|LLM|GPT|RAG|Agent)(?![a-z])|[Ff]etcher|[Ss]craper/

/** Expects a user agent with the shape of a browser's. Undefined: it names no such operator. */
export function findOperator(userAgent: string): Label | undefined {
  const names = productsOf(userAgent)
  const lower = names.toLowerCase()
  const [, operator] = operators.find(([pattern]) => pattern.test(lower)) ?? []
  if (operator !== undefined) return { category: 'crawler', agent: '', operator, rule: `operator:${operator}` }
  return machineWord.test(names) ? { category: 'crawler', agent: '', operator: '', rule: 'operator:word' } : undefined
}

/** The user agent without comments and without versions. A comment that never ends is one, too. */
function productsOf(userAgent: string): string {
  return userAgent.replaceAll(/\([^()]*(?:\)|$)/g, ' ').replaceAll(/\/[^\s,;]*/g, ' ')
}

// The operators that publish the addresses of their agents, with the address of each list and the agents that it
// covers. Data only. An agent that runs on its user's machine (Claude Code, a desktop app) can have any address and is
// in no list.

export type RangeSource = {
  /** The id of the source, which names the file of its snapshot. */
  readonly id: string
  readonly operator: string
  /** The `agent` of rules. */
  readonly agents: readonly string[]
  /** A document `{ creationTime, prefixes: [{ ipv4Prefix | ipv6Prefix }] }`: Google's format, which the others adopted. */
  readonly address: string
}

const google = 'https://developers.google.com/static/crawling/ipranges'

export const rangeSources: readonly RangeSource[] = [
  source('openai-gptbot', 'OpenAI', ['GPTBot'], 'https://openai.com/gptbot.json'),
  source('openai-searchbot', 'OpenAI', ['OAI-SearchBot'], 'https://openai.com/searchbot.json'),
  source('openai-chatgpt-user', 'OpenAI', ['ChatGPT-User'], 'https://openai.com/chatgpt-user.json'),
  source('openai-adsbot', 'OpenAI', ['OAI-AdsBot'], 'https://openai.com/adsbot.json'),
  // One list covers all three.
  source(
    'anthropic',
    'Anthropic',
    ['ClaudeBot', 'Claude-SearchBot', 'Claude-User'],
    'https://claude.com/crawling/bots.json',
  ),
  source('perplexity-bot', 'Perplexity', ['PerplexityBot'], 'https://www.perplexity.com/perplexitybot.json'),
  source('perplexity-user', 'Perplexity', ['Perplexity-User'], 'https://www.perplexity.com/perplexity-user.json'),
  source(
    'google-common',
    'Google',
    ['Googlebot', 'GoogleOther', 'Google-CloudVertexBot', 'Google-InspectionTool', 'Storebot-Google'],
    `${google}/common-crawlers.json`,
  ),
  source('google-agent', 'Google', ['Google-Agent'], `${google}/user-triggered-agents.json`),
  source(
    'google-fetchers',
    'Google',
    ['Google-NotebookLM', 'FeedFetcher-Google'],
    `${google}/user-triggered-fetchers-google.json`,
  ),
  source('bingbot', 'Microsoft', ['Bingbot'], 'https://www.bing.com/toolbox/bingbot.json'),
  source('applebot', 'Apple', ['Applebot'], 'https://search.developer.apple.com/applebot.json'),
  source('duckduckbot', 'DuckDuckGo', ['DuckDuckBot'], 'https://duckduckgo.com/duckduckbot.json'),
  source('duckassistbot', 'DuckDuckGo', ['DuckAssistBot'], 'https://duckduckgo.com/duckassistbot.json'),
  source('mistral-user', 'Mistral AI', ['MistralAI-User'], 'https://mistral.ai/mistralai-user-ips.json'),
  source('mistral-index', 'Mistral AI', ['MistralAI-Index'], 'https://mistral.ai/mistralai-index-ips.json'),
  source('ccbot', 'Common Crawl', ['CCBot'], 'https://index.commoncrawl.org/ccbot.json'),
]

function source(id: string, operator: string, agents: readonly string[], address: string): RangeSource {
  return { id, operator, agents, address }
}

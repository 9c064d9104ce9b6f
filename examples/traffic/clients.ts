// The clients of the example site, as of November 2026: user agents as their makers send or document them, each with
// the category that Docent should assign when it fetches HTML.

import type { Category } from '../../src/analytics/category.ts'

export type TrafficClient = {
  readonly userAgent: string
  readonly category: Category
  /** The operator's name for it; empty if there is no name. */
  readonly agent: string
  readonly weight: number
  /** The addresses that its operator publishes. If undefined, it uses addresses reserved for documentation. */
  readonly network?: Network
}

/** Addresses that consist of `prefix` and a last number from `first` to `first` + `size` - 1. */
type Network = { readonly prefix: string; readonly first: number; readonly size: number }

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'
const linux = 'X11; Linux x86_64'

/** Desktop Chrome. Editors that pretend to be a browser use these user agents too. */
export const desktopChromes: readonly TrafficClient[] = [
  chromium(mac, 156, 15),
  chromium(mac, 155, 4),
  chromium(windows, 156, 18),
  chromium(windows, 155, 5),
  chromium(linux, 156, 6),
]

export const browsers: readonly TrafficClient[] = [
  ...desktopChromes,
  chromium(windows, 156, 7, ' Edg/156.0.0.0'),
  chromium(mac, 156, 1, ' Edg/156.0.0.0'),
  chromium(linux, 155, 1, ' OPR/124.0.0.0'),
  browser(`Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/156.0.0.0 Mobile Safari/537.36`, 9),
  firefox(windows, 157, 5),
  firefox('Macintosh; Intel Mac OS X 10.15', 157, 3),
  firefox('X11; Linux x86_64', 157, 4),
  firefox('X11; Ubuntu; Linux x86_64', 140, 1),
  browser(`Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Safari/605.1.15`, 9),
  browser(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.6 Mobile/15E148 Safari/604.1',
    10,
  ),
  browser(
    'Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.7800.52 Mobile/15E148 Safari/604.1',
    1,
  ),
]

function chromium(platform: string, version: number, weight: number, more = ''): TrafficClient {
  return browser(`Mozilla/5.0 (${platform}) ${webKit} Chrome/${version}.0.0.0 Safari/537.36${more}`, weight)
}

function firefox(platform: string, version: number, weight: number): TrafficClient {
  return browser(`Mozilla/5.0 (${platform}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`, weight)
}

function browser(userAgent: string, weight: number): TrafficClient {
  return { userAgent, weight, category: 'browser', agent: '' }
}

const net = (prefix: string, first: number, size: number): Network => ({ prefix, first, size })

export const claudeCode: TrafficClient = {
  userAgent: 'Claude-User (claude-code/2.3.14; +https://support.anthropic.com/)',
  category: 'ai_coding_agent',
  agent: 'Claude Code',
  weight: 1,
}

/** Assistants fetch pages on behalf of a person, from the machines of their operators. */
export const assistants: readonly TrafficClient[] = [
  {
    userAgent: `Mozilla/5.0 ${webKit}; compatible; ChatGPT-User/1.0; +https://openai.com/bot`,
    category: 'ai_assistant',
    agent: 'ChatGPT-User',
    weight: 52,
    network: net('23.98.142.', 176, 16),
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    category: 'ai_assistant',
    agent: 'Claude-User',
    weight: 24,
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
    category: 'ai_assistant',
    agent: 'Perplexity-User',
    weight: 14,
    network: net('18.97.43.', 80, 8),
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; MistralAI-User/1.0; +https://docs.mistral.ai/robots)',
    category: 'ai_assistant',
    agent: 'MistralAI-User',
    weight: 4,
  },
]

export const crawlers: readonly TrafficClient[] = [
  {
    userAgent: `Mozilla/5.0 ${webKit}; compatible; GPTBot/1.3; +https://openai.com/gptbot`,
    category: 'ai_training',
    agent: 'GPTBot',
    weight: 16,
    network: net('52.230.152.', 1, 250),
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
    category: 'ai_training',
    agent: 'ClaudeBot',
    weight: 14,
    network: net('216.73.216.', 1, 250),
  },
  {
    userAgent: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
    category: 'ai_training',
    agent: 'CCBot',
    weight: 5,
  },
  {
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
    category: 'ai_search',
    agent: 'OAI-SearchBot',
    weight: 9,
    network: net('20.42.10.', 176, 16),
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
    category: 'ai_search',
    agent: 'PerplexityBot',
    weight: 4,
    network: net('18.97.9.', 96, 8),
  },
  {
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    category: 'search',
    agent: 'Googlebot',
    weight: 18,
    network: net('66.249.66.', 1, 30),
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/136.0.0.0 Safari/537.36',
    category: 'search',
    agent: 'Bingbot',
    weight: 10,
    network: net('157.55.39.', 1, 250),
  },
  {
    userAgent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    category: 'seo',
    agent: 'AhrefsBot',
    weight: 9,
  },
]

export const uptimeRobot: TrafficClient = {
  userAgent: 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  category: 'monitor',
  agent: 'UptimeRobot',
  weight: 1,
}

export const slackbot: TrafficClient = {
  userAgent: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  category: 'preview',
  agent: 'Slackbot',
  weight: 1,
}

/** Tools that a person or a script starts. */
export const tools: readonly TrafficClient[] = [
  { userAgent: 'curl/8.17.0', category: 'library', agent: 'curl', weight: 5 },
  { userAgent: 'python-requests/2.33.0', category: 'library', agent: 'python-requests', weight: 5 },
  { userAgent: 'Go-http-client/2.0', category: 'library', agent: 'Go-http-client', weight: 2 },
  {
    userAgent: `Mozilla/5.0 (${linux}) ${webKit} HeadlessChrome/156.0.0.0 Safari/537.36`,
    category: 'automation',
    agent: 'HeadlessChrome',
    weight: 2,
  },
  { userAgent: '', category: 'unknown', agent: '', weight: 1 },
]

/** Scanners look for vulnerabilities. Some identify themselves, others pretend to be an old browser. */
export const scanners: readonly TrafficClient[] = [
  { userAgent: 'Mozilla/5.0 zgrab/0.x', category: 'library', agent: '', weight: 2 },
  {
    userAgent: `Mozilla/5.0 (${windows}) ${webKit} Chrome/78.0.3904.108 Safari/537.36`,
    category: 'browser',
    agent: '',
    weight: 3,
  },
]

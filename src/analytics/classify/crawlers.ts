// Crawlers that every site meets: search engines, SEO, monitors, previews, feeds. crawler-list.ts knows a thousand
// more; the ones here have an operator, and no update of that list changes them. Patterns are lower case. Sources: the
// operators' pages about their crawlers, as of the date of the list.

import type { Category } from '../category.ts'
import type { AgentRule } from './rule.ts'

const compatible = (name: string) => `Mozilla/5.0 (compatible; ${name})`
const webKit = (name: string) => `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${name})`

type Crawler = readonly [id: string, pattern: string | RegExp, agent: string, operator: string, example: string]

const search: readonly Crawler[] = [
  [
    'google-inspection',
    'google-inspectiontool',
    'Google-InspectionTool',
    'Google',
    compatible('Google-InspectionTool/1.0;'),
  ],
  // With a slash, or after `compatible`: an app with the word in its name is not a crawler.
  [
    'googlebot',
    /googlebot(?:-image|-news|-video)?\/|compatible; googlebot/,
    'Googlebot',
    'Google',
    compatible('Googlebot/2.1; +http://www.google.com/bot.html'),
  ],
  ['storebot-google', 'storebot-google', 'Storebot-Google', 'Google', compatible('Storebot-Google/1.0')],
  ['bingbot', 'bingbot', 'Bingbot', 'Microsoft', webKit('bingbot/2.0; +http://www.bing.com/bingbot.htm')],
  [
    'bingpreview',
    'bingpreview',
    'BingPreview',
    'Microsoft',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  ],
  [
    'duckduckbot',
    'duckduckbot',
    'DuckDuckBot',
    'DuckDuckGo',
    'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  ],
  [
    'baiduspider',
    'baiduspider',
    'Baiduspider',
    'Baidu',
    compatible('Baiduspider/2.0; +http://www.baidu.com/search/spider.html'),
  ],
  [
    'yandexbot',
    /yandex(?:bot|images|additional|renderresourcesbot|mobilebot)/,
    'YandexBot',
    'Yandex',
    compatible('YandexBot/3.0; +http://yandex.com/bots'),
  ],
  [
    'petalbot',
    'petalbot',
    'PetalBot',
    'Huawei',
    compatible('PetalBot;+https://webmaster.petalsearch.com/site/petalbot'),
  ],
  [
    'slurp',
    'yahoo! slurp',
    'Yahoo! Slurp',
    'Yahoo',
    compatible('Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp'),
  ],
  [
    'seznambot',
    'seznambot',
    'SeznamBot',
    'Seznam',
    compatible('SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/'),
  ],
  [
    'applebot',
    'applebot',
    'Applebot',
    'Apple',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  ],
  [
    'bravebot',
    'bravebot',
    'Bravebot',
    'Brave',
    compatible('Bravebot/1.0; +https://search.brave.com/help/brave-search-crawler'),
  ],
  ['exalead', /(?<![a-z])exabot/, 'Exabot', 'Exalead', compatible('Exabot/3.0; +http://www.exabot.com/go/robot')],
]

const others: readonly (readonly [Category, ...Crawler])[] = [
  [
    'seo',
    'ahrefs',
    /ahrefs(?:bot|siteaudit)/,
    'AhrefsBot',
    'Ahrefs',
    compatible('AhrefsBot/7.0; +http://ahrefs.com/robot/'),
  ],
  [
    'seo',
    'semrush',
    'semrushbot',
    'SemrushBot',
    'Semrush',
    compatible('SemrushBot/7~bl; +http://www.semrush.com/bot.html'),
  ],
  [
    'seo',
    'alexabot',
    'alexabot',
    'Alexabot',
    'Alexa Internet',
    compatible('Alexabot/1.0; +http://www.alexa.com/help/certifyscan'),
  ],
  ['seo', 'mj12bot', 'mj12bot', 'MJ12bot', 'Majestic', compatible('MJ12bot/v1.4.8; http://mj12bot.com/')],
  [
    'seo',
    'dotbot',
    'dotbot',
    'DotBot',
    'Moz',
    compatible('DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com'),
  ],
  [
    'monitor',
    'uptimerobot',
    'uptimerobot',
    'UptimeRobot',
    'UptimeRobot',
    compatible('UptimeRobot/2.0; http://www.uptimerobot.com/'),
  ],
  ['monitor', 'pingdom', 'pingdom', 'Pingdom', 'SolarWinds', 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)'],
  [
    'monitor',
    'lighthouse',
    'chrome-lighthouse',
    'Lighthouse',
    'Google',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 Chrome-Lighthouse',
  ],
  [
    'monitor',
    'pagespeed',
    'google page speed insights',
    'PageSpeed Insights',
    'Google',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; Google Page Speed Insights) Chrome/27.0.1453 Safari/537.36',
  ],
  [
    'monitor',
    'vercel-screenshot',
    'vercelbot',
    'Vercelbot',
    'Vercel',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36 vercelbot/0.1',
  ],
  [
    'preview',
    'facebookexternalhit',
    /facebookexternalhit|facebookcatalog/,
    'facebookexternalhit',
    'Meta',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  ],
  // Before Twitterbot: its user agent contains that name.
  ['preview', 'telegrambot', 'telegrambot', 'TelegramBot', 'Telegram', 'TelegramBot (like TwitterBot)'],
  ['preview', 'twitterbot', 'twitterbot', 'Twitterbot', 'X', 'Twitterbot/1.0'],
  [
    'preview',
    'linkedinbot',
    'linkedinbot',
    'LinkedInBot',
    'LinkedIn',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  ],
  [
    'preview',
    'slackbot',
    /slackbot|slack-imgproxy/,
    'Slackbot',
    'Slack',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  ],
  [
    'preview',
    'discordbot',
    'discordbot',
    'Discordbot',
    'Discord',
    compatible('Discordbot/2.0; +https://discordapp.com'),
  ],
  ['preview', 'whatsapp', /^whatsapp\//, 'WhatsApp', 'Meta', 'WhatsApp/2.23.20.0 A'],
  [
    'monitor',
    'site24x7',
    /site24x7|\bhlb\/\d/,
    'Site24x7',
    'Zoho',
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) HLB/1.247',
  ],
  ['crawler', 'duplexweb-google', 'duplexweb-google', 'DuplexWeb-Google', 'Google', 'DuplexWeb-Google/1.0'],
  ['crawler', 'assetnote', 'assetnote', 'Assetnote', 'Assetnote', 'Assetnote/1.0.0'],
  ['crawler', 'tabstack', 'mozilla-tabstack', 'Mozilla-Tabstack', 'Mozilla', 'Mozilla-Tabstack/1.0'],
  ['crawler', 'awario', /awario(?!rssbot)/, 'Awario', 'Awario', 'AwarioBot/1.0 (+https://awario.com/bots.html)'],
  ['crawler', 'agent-times', 'agenttimes', 'AgentTimes', 'The Agent Times', 'AgentTimes/1.0'],
  [
    'crawler',
    'leipzig-corpora',
    /\blcc(?:\/\d| \(\+)/,
    'LCC',
    'Leipzig University',
    'LCC (+http://corpora.informatik.uni-leipzig.de/crawler_faq.html)',
  ],
  ['automation', 'lightpanda', 'lightpanda', 'Lightpanda', 'Lightpanda', 'Lightpanda/1.0'],
  ['crawler', 'oai-adsbot', 'oai-adsbot', 'OAI-AdsBot', 'OpenAI', webKit('OAI-AdsBot/1.0; +https://openai.com/adsbot')],
  [
    'feed',
    'feedly',
    'feedly',
    'Feedly',
    'Feedly',
    'Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)',
  ],
  [
    'feed',
    'inoreader',
    'inoreader',
    'Inoreader',
    'Inoreader',
    'Mozilla/5.0 (compatible; inoreader.com; 1 subscribers)',
  ],
  [
    'feed',
    'feedfetcher-google',
    'feedfetcher-google',
    'FeedFetcher-Google',
    'Google',
    'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)',
  ],
]

export const crawlers: readonly AgentRule[] = [
  ...search.map((row) => toRule('search', row)),
  ...others.map(([category, ...row]) => toRule(category, row)),
]

function toRule(category: AgentRule['category'], [id, pattern, agent, operator, example]: Crawler): AgentRule {
  return { id, pattern, category, agent, operator, example }
}

// Crawlers that every site meets: search engines, SEO, monitors, previews, feeds. crawler-list.ts knows a thousand
// more; the ones here have an operator, and no update of that list changes them. Patterns are lower case. Sources: the
// operators' pages about their crawlers, as of the date of the list.

import type { Category } from '../category.ts'
import { type AgentRow, type AgentRule, compatible, toRule, webKit } from './rule.ts'

const search: readonly AgentRow[] = [
  ['Google-InspectionTool', 'Google', compatible('Google-InspectionTool/1.0;'), { id: 'google-inspection' }],
  // With a slash, or after `compatible`: an app with the word in its name is not a crawler.
  [
    'Googlebot',
    'Google',
    compatible('Googlebot/2.1; +http://www.google.com/bot.html'),
    { pattern: /googlebot(?:-image|-news|-video)?\/|compatible; googlebot/ },
  ],
  ['Storebot-Google', 'Google', compatible('Storebot-Google/1.0')],
  ['Bingbot', 'Microsoft', webKit('bingbot/2.0; +http://www.bing.com/bingbot.htm')],
  [
    'BingPreview',
    'Microsoft',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  ],
  ['DuckDuckBot', 'DuckDuckGo', 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)'],
  ['Baiduspider', 'Baidu', compatible('Baiduspider/2.0; +http://www.baidu.com/search/spider.html')],
  [
    'YandexBot',
    'Yandex',
    compatible('YandexBot/3.0; +http://yandex.com/bots'),
    { pattern: /yandex(?:bot|images|additional|renderresourcesbot|mobilebot)/ },
  ],
  ['PetalBot', 'Huawei', compatible('PetalBot;+https://webmaster.petalsearch.com/site/petalbot')],
  ['Yahoo! Slurp', 'Yahoo', compatible('Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp'), { id: 'slurp' }],
  ['SeznamBot', 'Seznam', compatible('SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/')],
  [
    'Applebot',
    'Apple',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  ],
  ['Bravebot', 'Brave', compatible('Bravebot/1.0; +https://search.brave.com/help/brave-search-crawler')],
  [
    'Exabot',
    'Exalead',
    compatible('Exabot/3.0; +http://www.exabot.com/go/robot'),
    { id: 'exalead', pattern: /(?<![a-z])exabot/ },
  ],
]

const others: readonly (readonly [Category, ...AgentRow])[] = [
  [
    'seo',
    'AhrefsBot',
    'Ahrefs',
    compatible('AhrefsBot/7.0; +http://ahrefs.com/robot/'),
    { id: 'ahrefs', pattern: /ahrefs(?:bot|siteaudit)/ },
  ],
  ['seo', 'SemrushBot', 'Semrush', compatible('SemrushBot/7~bl; +http://www.semrush.com/bot.html'), { id: 'semrush' }],
  ['seo', 'Alexabot', 'Alexa Internet', compatible('Alexabot/1.0; +http://www.alexa.com/help/certifyscan')],
  ['seo', 'MJ12bot', 'Majestic', compatible('MJ12bot/v1.4.8; http://mj12bot.com/')],
  ['seo', 'DotBot', 'Moz', compatible('DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com')],
  ['monitor', 'UptimeRobot', 'UptimeRobot', compatible('UptimeRobot/2.0; http://www.uptimerobot.com/')],
  ['monitor', 'Pingdom', 'SolarWinds', 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)'],
  [
    'monitor',
    'Lighthouse',
    'Google',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 Chrome-Lighthouse',
    { pattern: 'chrome-lighthouse' },
  ],
  [
    'monitor',
    'PageSpeed Insights',
    'Google',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; Google Page Speed Insights) Chrome/27.0.1453 Safari/537.36',
    { id: 'pagespeed', pattern: 'google page speed insights' },
  ],
  [
    'monitor',
    'Vercelbot',
    'Vercel',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36 vercelbot/0.1',
    { id: 'vercel-screenshot' },
  ],
  [
    'preview',
    'facebookexternalhit',
    'Meta',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    { pattern: /facebookexternalhit|facebookcatalog/ },
  ],
  // Before Twitterbot: its user agent contains that name.
  ['preview', 'TelegramBot', 'Telegram', 'TelegramBot (like TwitterBot)'],
  ['preview', 'Twitterbot', 'X', 'Twitterbot/1.0'],
  [
    'preview',
    'LinkedInBot',
    'LinkedIn',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  ],
  [
    'preview',
    'Slackbot',
    'Slack',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    { pattern: /slackbot|slack-imgproxy/ },
  ],
  ['preview', 'Discordbot', 'Discord', compatible('Discordbot/2.0; +https://discordapp.com')],
  ['preview', 'WhatsApp', 'Meta', 'WhatsApp/2.23.20.0 A', { pattern: /^whatsapp\// }],
  [
    'monitor',
    'Site24x7',
    'Zoho',
    'Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) HLB/1.247',
    { pattern: /site24x7|\bhlb\/\d/ },
  ],
  ['crawler', 'DuplexWeb-Google', 'Google', 'DuplexWeb-Google/1.0'],
  ['crawler', 'Assetnote', 'Assetnote', 'Assetnote/1.0.0'],
  ['crawler', 'Mozilla-Tabstack', 'Mozilla', 'Mozilla-Tabstack/1.0', { id: 'tabstack' }],
  ['crawler', 'Awario', 'Awario', 'AwarioBot/1.0 (+https://awario.com/bots.html)', { pattern: /awario(?!rssbot)/ }],
  ['crawler', 'AgentTimes', 'The Agent Times', 'AgentTimes/1.0', { id: 'agent-times' }],
  [
    'crawler',
    'LCC',
    'Leipzig University',
    'LCC (+http://corpora.informatik.uni-leipzig.de/crawler_faq.html)',
    { id: 'leipzig-corpora', pattern: /\blcc(?:\/\d| \(\+)/ },
  ],
  ['automation', 'Lightpanda', 'Lightpanda', 'Lightpanda/1.0'],
  ['crawler', 'OAI-AdsBot', 'OpenAI', webKit('OAI-AdsBot/1.0; +https://openai.com/adsbot')],
  ['feed', 'Feedly', 'Feedly', 'Feedly/1.0 (+http://www.feedly.com/fetcher.html; like FeedFetcher-Google)'],
  ['feed', 'Inoreader', 'Inoreader', compatible('inoreader.com; 1 subscribers')],
  ['feed', 'FeedFetcher-Google', 'Google', 'FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)'],
]

export const crawlers: readonly AgentRule[] = [
  ...search.map((row) => toRule('search', row)),
  ...others.map(([category, ...row]) => toRule(category, row)),
]

// Groups the hosts of referring pages by site: country domains of search engines, short links and mobile hosts of networks,
// apps, and AI assistants. Any other host loses its `www.`. Grouping happens when a query runs, so it holds for all rows.

type Site = {
  readonly site: string
  /** Matches whole hosts in lower case. In the syntax that JavaScript and RE2 share. */
  readonly hosts: string
  /** Ids of Android apps, whose referrer is `android-app://id`. */
  readonly apps: string | undefined
}

const country = String.raw`(?:com|[a-z]{2}|com?\.[a-z]{2})`

const rows: readonly (readonly [site: string, hosts: string, apps?: string])[] = [
  [
    'google.com',
    String.raw`(?:www\.|images\.|m\.)?google\.${country}`,
    String.raw`com\.google\.android\.(?:googlequicksearchbox|apps\.searchlite)`,
  ],
  ['bing.com', String.raw`(?:www\d?\.|cn\.|m\.)?bing\.com`, String.raw`com\.microsoft\.bing`],
  ['yahoo.com', String.raw`(?:[a-z.]+\.)?search\.yahoo\.${country}|(?:www\.|[a-z]{2}\.)?yahoo\.${country}`],
  ['duckduckgo.com', String.raw`(?:[a-z]+\.)?duckduckgo\.com|ddg\.gg`, String.raw`com\.duckduckgo\.mobile\.android`],
  ['yandex.com', String.raw`(?:www\.|m\.)?yandex\.${country}|ya\.ru`, String.raw`ru\.yandex\.[\w.]+`],
  ['baidu.com', String.raw`(?:www|m|image)\.baidu\.com|baidu\.com`],
  ['naver.com', String.raw`(?:m\.)?search\.naver\.com|(?:www\.|m\.)?naver\.com`],
  ['chatgpt.com', String.raw`(?:www\.)?chatgpt\.com|chat\.openai\.com`, String.raw`com\.openai\.chatgpt`],
  ['perplexity.ai', String.raw`(?:[a-z]+\.)?perplexity\.ai`, String.raw`ai\.perplexity\.app\.android`],
  ['claude.ai', String.raw`(?:www\.)?claude\.(?:ai|com)`, String.raw`com\.anthropic\.claude`],
  ['gemini.google.com', String.raw`(?:gemini|bard)\.google\.com`, String.raw`com\.google\.android\.apps\.bard`],
  [
    'copilot.microsoft.com',
    String.raw`copilot\.microsoft\.com|copilot\.cloud\.microsoft|edgeservices\.bing\.com`,
    String.raw`com\.microsoft\.copilot`,
  ],
  ['chat.deepseek.com', String.raw`chat\.deepseek\.com`, String.raw`com\.deepseek\.chat`],
  ['grok.com', String.raw`(?:www\.)?grok\.com`, String.raw`ai\.x\.grok`],
  [
    'facebook.com',
    String.raw`(?:[a-z]{1,6}\.|[a-z]{2}-[a-z]{2}\.)?facebook\.com|fb\.me`,
    String.raw`com\.facebook\.(?:katana|lite)`,
  ],
  ['instagram.com', String.raw`(?:l\.|www\.)?instagram\.com`, String.raw`com\.instagram\.android`],
  ['x.com', String.raw`(?:www\.|mobile\.)?(?:x|twitter)\.com|t\.co`, String.raw`com\.twitter\.android`],
  ['reddit.com', String.raw`(?:[a-z]{1,5}\.)?reddit\.com|redd\.it`, String.raw`com\.reddit\.frontpage`],
  ['linkedin.com', String.raw`(?:[a-z]{2,3}\.)?linkedin\.com|lnkd\.in`, String.raw`com\.linkedin\.android`],
  ['youtube.com', String.raw`(?:www\.|m\.)?youtube\.com|youtu\.be`, String.raw`com\.google\.android\.youtube`],
  ['telegram.org', String.raw`t\.me|(?:web\.|www\.)?telegram\.(?:org|me)`, String.raw`org\.telegram\.[\w.]+`],
  ['slack.com', String.raw`(?:app\.|www\.)?slack\.com`, String.raw`com\.slack`],
  ['discord.com', String.raw`(?:www\.|ptb\.|canary\.)?discord(?:app)?\.com`, String.raw`com\.discord`],
  ['github.com', String.raw`(?:www\.|gist\.)?github\.com`, String.raw`com\.github\.android`],
  ['mail.google.com', String.raw`mail\.google\.com`, String.raw`com\.google\.android\.gm`],
  ['stackoverflow.com', String.raw`(?:www\.|[a-z]{2}\.)?stackoverflow\.com`],
]

/** Stored counters are counted again when this list changes as JSON. */
export const sites: readonly Site[] = rows.map(([site, hosts, apps]) => ({ site, hosts, apps }))

/** Matches whole hosts and apps. */
function patternOf({ hosts, apps }: Site): string {
  return apps === undefined ? `^(?:${hosts})$` : `^(?:${hosts}|android-app://(?:${apps}))$`
}

const patterns = sites.map((one) => ({ site: one.site, pattern: new RegExp(patternOf(one)) }))

/** The site that a host or an app belongs to, of those above. */
export function siteOfHost(host: string): string | undefined {
  return patterns.find(({ pattern }) => pattern.test(host))?.site
}

const web = String.raw`^www\d?\.`
const webPattern = new RegExp(web)

/** The site of a host or an app, as `siteOf` gives it. */
export function siteNameOf(host: string): string {
  return siteOfHost(host) ?? host.replace(webPattern, '')
}

/** The sites of hosts, without those that other hosts belong to: a project on one of them does not hide the others. */
export function sitesOfHosts(hosts: ReadonlySet<string>): readonly string[] {
  const own = [...hosts].filter((host) => siteOfHost(host) === undefined)
  return [...new Set(own.map(siteNameOf))].toSorted()
}

/** An expression of the store for the site of the host in this column. */
export function siteOf(column: string): string {
  const cases = sites.map((one) => `match(${column}, ${quoted(patternOf(one))}), '${one.site}'`)
  return `multiIf(${cases.join(', ')}, replaceRegexpOne(${column}, ${quoted(web)}, ''))`
}

/**
 * A condition for the hosts of some sites, as `siteOf` gives them. `hosts`: a parameter with those of `hostsOfSites`. The store
 * tries a pattern once for each different host of a part, where `siteOf` needs 26 values for each row.
 */
export function isOfSites(column: string, wanted: readonly string[], hosts: string): string {
  const matching = sites.flatMap((one, at) => {
    if (!wanted.includes(one.site)) return []
    const before = sites.slice(0, at).map(patternOf)
    const others = before.length === 0 ? '' : ` AND NOT match(${column}, ${quoted(before.join('|'))})`
    return [`(match(${column}, ${quoted(patternOf(one))})${others})`]
  })
  return `(${[`${column} IN {${hosts}:Array(String)}`, ...matching].join(' OR ')})`
}

/** The hosts of these sites that no pattern is needed for. */
export function hostsOfSites(wanted: readonly string[]): readonly string[] {
  const numbers = Array.from({ length: 10 }, (_, number) => `www${number}.`)
  const hosts = wanted.flatMap((site) => ['', 'www.', ...numbers].map((start) => start + site))
  return hosts.filter((host) => wanted.includes(siteNameOf(host)))
}

function quoted(pattern: string): string {
  return `'${pattern.replaceAll('\\', '\\\\')}'`
}

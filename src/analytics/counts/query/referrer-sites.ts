// Groups the hosts of referring pages by site: country domains of search engines, short links and mobile hosts of networks,
// apps, and AI assistants. Any other host loses its `www.`. Grouping happens when a query runs, so it holds for all rows.

type Site = {
  readonly site: string
  /** Matches whole hosts in lower case. In the syntax that JavaScript and RE2 share. */
  readonly hosts: string
  /** Ids of Android apps, whose referrer is `android-app://id`. */
  readonly apps?: string
}

const country = String.raw`(?:com|[a-z]{2}|com?\.[a-z]{2})`

export const sites: readonly Site[] = [
  {
    site: 'google.com',
    hosts: String.raw`(?:www\.|images\.|m\.)?google\.${country}`,
    apps: String.raw`com\.google\.android\.(?:googlequicksearchbox|apps\.searchlite)`,
  },
  { site: 'bing.com', hosts: String.raw`(?:www\d?\.|cn\.|m\.)?bing\.com`, apps: String.raw`com\.microsoft\.bing` },
  {
    site: 'yahoo.com',
    hosts: String.raw`(?:[a-z.]+\.)?search\.yahoo\.${country}|(?:www\.|[a-z]{2}\.)?yahoo\.${country}`,
  },
  {
    site: 'duckduckgo.com',
    hosts: String.raw`(?:[a-z]+\.)?duckduckgo\.com|ddg\.gg`,
    apps: String.raw`com\.duckduckgo\.mobile\.android`,
  },
  {
    site: 'yandex.com',
    hosts: String.raw`(?:www\.|m\.)?yandex\.${country}|ya\.ru`,
    apps: String.raw`ru\.yandex\.[\w.]+`,
  },
  { site: 'baidu.com', hosts: String.raw`(?:www|m|image)\.baidu\.com|baidu\.com` },
  { site: 'naver.com', hosts: String.raw`(?:m\.)?search\.naver\.com|(?:www\.|m\.)?naver\.com` },
  {
    site: 'chatgpt.com',
    hosts: String.raw`(?:www\.)?chatgpt\.com|chat\.openai\.com`,
    apps: String.raw`com\.openai\.chatgpt`,
  },
  {
    site: 'perplexity.ai',
    hosts: String.raw`(?:[a-z]+\.)?perplexity\.ai`,
    apps: String.raw`ai\.perplexity\.app\.android`,
  },
  { site: 'claude.ai', hosts: String.raw`(?:www\.)?claude\.(?:ai|com)`, apps: String.raw`com\.anthropic\.claude` },
  {
    site: 'gemini.google.com',
    hosts: String.raw`(?:gemini|bard)\.google\.com`,
    apps: String.raw`com\.google\.android\.apps\.bard`,
  },
  {
    site: 'copilot.microsoft.com',
    hosts: String.raw`copilot\.microsoft\.com|copilot\.cloud\.microsoft|edgeservices\.bing\.com`,
    apps: String.raw`com\.microsoft\.copilot`,
  },
  { site: 'chat.deepseek.com', hosts: String.raw`chat\.deepseek\.com`, apps: String.raw`com\.deepseek\.chat` },
  { site: 'grok.com', hosts: String.raw`(?:www\.)?grok\.com`, apps: String.raw`ai\.x\.grok` },
  {
    site: 'facebook.com',
    hosts: String.raw`(?:[a-z]{1,6}\.|[a-z]{2}-[a-z]{2}\.)?facebook\.com|fb\.me`,
    apps: String.raw`com\.facebook\.(?:katana|lite)`,
  },
  { site: 'instagram.com', hosts: String.raw`(?:l\.|www\.)?instagram\.com`, apps: String.raw`com\.instagram\.android` },
  {
    site: 'x.com',
    hosts: String.raw`(?:www\.|mobile\.)?(?:x|twitter)\.com|t\.co`,
    apps: String.raw`com\.twitter\.android`,
  },
  {
    site: 'reddit.com',
    hosts: String.raw`(?:[a-z]{1,5}\.)?reddit\.com|redd\.it`,
    apps: String.raw`com\.reddit\.frontpage`,
  },
  {
    site: 'linkedin.com',
    hosts: String.raw`(?:[a-z]{2,3}\.)?linkedin\.com|lnkd\.in`,
    apps: String.raw`com\.linkedin\.android`,
  },
  {
    site: 'youtube.com',
    hosts: String.raw`(?:www\.|m\.)?youtube\.com|youtu\.be`,
    apps: String.raw`com\.google\.android\.youtube`,
  },
  {
    site: 'telegram.org',
    hosts: String.raw`t\.me|(?:web\.|www\.)?telegram\.(?:org|me)`,
    apps: String.raw`org\.telegram\.[\w.]+`,
  },
  { site: 'slack.com', hosts: String.raw`(?:app\.|www\.)?slack\.com`, apps: String.raw`com\.slack` },
  {
    site: 'discord.com',
    hosts: String.raw`(?:www\.|ptb\.|canary\.)?discord(?:app)?\.com`,
    apps: String.raw`com\.discord`,
  },
  { site: 'github.com', hosts: String.raw`(?:www\.|gist\.)?github\.com`, apps: String.raw`com\.github\.android` },
  { site: 'mail.google.com', hosts: String.raw`mail\.google\.com`, apps: String.raw`com\.google\.android\.gm` },
  {
    site: 'stackoverflow.com',
    hosts: String.raw`(?:www\.|[a-z]{2}\.)?stackoverflow\.com`,
  },
]

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

/** The sites of hosts, without those that other hosts belong to: a project on one of them does not hide the others. */
export function sitesOfHosts(hosts: ReadonlySet<string>): readonly string[] {
  const own = [...hosts].filter((host) => siteOfHost(host) === undefined)
  return [...new Set(own.map((host) => host.replace(new RegExp(web), '')))].toSorted()
}

/** An expression of the store for the site of the host in this column. */
export function siteOf(column: string): string {
  const quoted = (pattern: string) => `'${pattern.replaceAll('\\', '\\\\')}'`
  const cases = sites.map((one) => `match(${column}, ${quoted(patternOf(one))}), '${one.site}'`)
  return `multiIf(${cases.join(', ')}, replaceRegexpOne(${column}, ${quoted(web)}, ''))`
}

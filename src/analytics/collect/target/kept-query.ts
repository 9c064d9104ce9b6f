// The parameters of a query that say something about a page view: the form of the page, and the campaign of the link. All others
// are dropped where a request is read.

export const campaignParameters = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'ref',
] as const

/** The value of a campaign has at most 100 characters, each of which may be three bytes, or six in an emoji's pair. */
const kept = /[?&](format=(?:md|markdown)|(utm_(?:source|medium|campaign|term|content)|ref)=[^&#\s]{1,1200})(?=&|$)/gi

/** The query of a request target without all that tells something else: empty, or `?format=md&utm_source=chatgpt.com`. */
export function keptQuery(target: string): string {
  if (!/[?&](?:format|utm_[a-z]+|ref)=/i.test(target)) return ''
  const [, query = ''] = /^[^?#]*(\?[^#]*)/.exec(target) ?? []
  const parts = new Map<string, string>()
  for (const [, part = '', name = 'format'] of query.matchAll(kept)) {
    if (!parts.has(name.toLowerCase())) parts.set(name.toLowerCase(), part)
  }
  return parts.size === 0 ? '' : `?${[...parts.values()].join('&')}`
}

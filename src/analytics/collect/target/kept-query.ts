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

const names = campaignParameters.join('|')
/** The value of a campaign has at most 100 characters, and each may be four bytes, percent-encoded. */
const kept = new RegExp(String.raw`[?&](format=(?:md|markdown)|(${names})=[^&#\s]{1,1200})(?=&|$)`, 'gi')
const anyKept = new RegExp(`[?&](?:format|${names})=`, 'i')

/** The query of a request target without all that tells something else: empty, or `?format=md&utm_source=chatgpt.com`. */
export function keptQuery(target: string): string {
  if (!anyKept.test(target)) return ''
  const [, query = ''] = /^[^?#]*(\?[^#]*)/.exec(target) ?? []
  const parts = new Map<string, string>()
  for (const [, part = '', name = 'format'] of query.matchAll(kept)) {
    if (!parts.has(name.toLowerCase())) parts.set(name.toLowerCase(), part)
  }
  return parts.size === 0 ? '' : `?${[...parts.values()].join('&')}`
}

// The two parameters of a query that say something about a page view: the form of the page, and the site that a link was on.
// All others are dropped where a request is read, and these two are never stored as such.

const kept = /[?&](format=(?:md|markdown)|utm_source=[a-z\d.-]{1,100})(?=&|$)/gi

/** The query of a request target without all that tells something else: empty, or `?format=md&utm_source=chatgpt.com`. */
export function keptQuery(target: string): string {
  if (!/[?&](?:format|utm_source)=/i.test(target)) return ''
  const [, query = ''] = /^[^?#]*(\?[^#]*)/.exec(target) ?? []
  const parts = Array.from(query.matchAll(kept), ([, part = '']) => part)
  return parts.length === 0 ? '' : `?${parts.slice(0, 2).join('&')}`
}

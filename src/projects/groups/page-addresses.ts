// The addresses of pages that the jobs of a project may read, as settings: in the form in which they are compared later, so that
// nobody lists another address than the one that is meant. Pure.

import { parsePageAddress } from '../../lib/outbound/pages/page-address.ts'
import { refusedHost, webHost } from '../../lib/outbound/web-host.ts'

/** Explains why a text is no address of a page, or returns null. `privateHosts`: those that the service allows. */
export function pageProblem(text: string, isPrefix: boolean, privateHosts: readonly string[]): string | null {
  const url = parsePageAddress(text)
  if (!url) return 'is not the address of a page, such as https://example.com/docs/start, without a user name'
  if (url.hash !== '') return 'has a fragment, which no host sees: leave out what begins with #'
  const reason = refusedHost(url, webHost(url, privateHosts))
  if (reason !== undefined) return `is refused: ${reason}`
  if (url.href !== text) return `is not in its normal form: write ${url.href}`
  if (!isPrefix) return null
  if (url.search !== '') return 'has a query: a prefix ends with a part of the path'
  return url.pathname.endsWith('/') ? null : 'must end with /, so that it ends with a whole part of the path'
}

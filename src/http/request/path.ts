// The path of a request below the path of the public address, which a proxy may have removed or not.

import { getPath } from 'hono/utils/url'

/** `prefix`: without a trailing slash. */
export function createPathReader(prefix: string): (request: Request) => string {
  if (prefix === '') return getPath
  return (request) => {
    const path = getPath(request)
    if (path === prefix) return '/'
    return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  }
}

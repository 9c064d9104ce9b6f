// Reads of one repository on Gitea.

import type { Gitea } from '../gitea.ts'

export const pageSize = 50

type Asking = {
  readonly place: string
  readonly page?: number
  readonly query?: Readonly<Record<string, string>>
}

export function ask({ client, path }: Gitea, { place, page, query = {} }: Asking, signal: AbortSignal) {
  const paging = page === undefined ? {} : { limit: pageSize, page }
  return client.ask({ method: 'GET', path: `${path}${place}`, query: { ...query, ...paging } }, signal)
}

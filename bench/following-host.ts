// The host of `following.ts` in a process of its own: GitHub's two resources that say where a branch is, over https, with ETags. It is
// sent the commit of each repository, and sends its port, then how many responses were 200 and 304 since the last message.

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate, certificateKey } from '../test/support/loopback-certificate.ts'

export type Heads = Readonly<Record<string, string>>
export type FromHost = { readonly port: number } | { readonly whole: number; readonly unchanged: number }

const place = /^\/api\/v3\/repos\/([^/]+\/[^/]+)(\/git\/ref\/heads\/main)?$/
let heads: Heads = {}
const counts = { whole: 0, unchanged: 0 }

const server = createServer({ cert: certificate, key: certificateKey }, (request, response) => {
  const [, path = '', ref] = place.exec(request.url ?? '') ?? []
  const sha = heads[path]
  if (sha === undefined) {
    response.writeHead(404).end()
    return
  }
  const etag = ref === undefined ? '"repository"' : `"${sha}"`
  const isSame = request.headers['if-none-match'] === etag
  counts[isSame ? 'unchanged' : 'whole'] += 1
  const body = ref === undefined ? { default_branch: 'main' } : { ref: 'refs/heads/main', object: { sha } }
  response.writeHead(isSame ? 304 : 200, { etag, 'content-type': 'application/json' })
  response.end(isSame ? undefined : JSON.stringify(body))
})

process.on('message', (message: Heads | 'count' | 'end') => {
  if (message === 'end') process.exit()
  if (message === 'count') {
    process.send?.({ ...counts })
    Object.assign(counts, { whole: 0, unchanged: 0 })
  } else heads = message
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

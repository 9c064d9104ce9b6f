// Checks whether a proxy is in front of the service that the service does not trust.

import type { ForwardCounts } from '../../http/request/address/unused-forwards.ts'
import { type Finding, ok, warning } from './finding.ts'

export function checkForwards({ requests, peers, clients, examples }: ForwardCounts): Finding {
  const about = 'addresses of clients'
  if (requests === 0) return ok(about, 'no request came with an X-Forwarded-For that is not used')
  const named = examples.join(', ') + (peers > examples.length ? ', …' : '')
  return warning(
    about,
    `${count(requests, 'request')} from ${count(peers, 'address', 'addresses')} (${named}) came for ` +
      `${count(clients, 'forwarded address', 'forwarded addresses')}, which are not used: clients behind a proxy share its ` +
      'limit of attempts to sign in, and one of them can lock out all',
    'If they come from your proxy, set DOCENT_TRUSTED_PROXIES to its addresses, or to the number of proxies.',
  )
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
}

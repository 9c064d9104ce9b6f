// Says above the numbers that requests probably come through proxies which the service does not know.

import { useQuery } from '@tanstack/react-query'
import { readinessQuery } from '../../api/readiness.ts'
import { formatCount } from './format.ts'

export function UnknownProxies() {
  const { data } = useQuery(readinessQuery)
  const use = data?.forwarded
  if (!use) return null
  return (
    <p role="status" className="mb-6 rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm">
      {formatCount(use.requests)} of {formatCount(use.of)} requests of the last hour came from{' '}
      {use.addresses === 1 ? '1 address' : `${formatCount(use.addresses)} addresses`} and carry{' '}
      {formatCount(use.forwarded)} forwarded ones. If the few are proxies or a CDN, the readers behind each count as one
      visitor for each browser: set <code>DOCENT_TRUSTED_PROXIES</code> on the server of Docent.
    </p>
  )
}

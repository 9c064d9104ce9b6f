// The country of a client, from the header that the operator names. Anyone can send such a header, so only that of a trusted
// proxy counts.

import { toCountry } from '../../../analytics/dimensions/country.ts'
import type { TrustedProxies } from '../../../lib/network.ts'
import { createPeerTrust } from './client-address.ts'

type Options = { readonly trustedProxies: TrustedProxies; readonly countryHeader: string | undefined }
type Request = {
  readonly peer: string | undefined
  /** In lower case. */
  readonly headers: Readonly<Record<string, unknown>>
}

/** Returns an ISO 3166-1 code, or undefined if the header says no country. */
export function createCountryHeader({
  trustedProxies,
  countryHeader,
}: Options): (request: Request) => string | undefined {
  if (countryHeader === undefined) return () => undefined
  const isTrusted = createPeerTrust(trustedProxies)
  const name = countryHeader.toLowerCase()
  return ({ peer, headers }) => (isTrusted(peer) ? toCountry(headers[name]) || undefined : undefined)
}

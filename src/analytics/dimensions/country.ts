// The country of an address, from a database in the MMDB format that the operator has. Nothing is asked outside of this machine, and
// the address is not kept.

import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { CountryResponse } from 'mmdb-lib'

/** Returns an ISO 3166-1 code, `DE`; empty: unknown. Never throws. */
export type CountryOf = (address: string | undefined) => string

export const noCountries: CountryOf = () => ''

/** Throws an Error that names the file. Without a path, no country is known. */
export async function openCountries(path: string | undefined): Promise<CountryOf> {
  if (path === undefined) return noCountries
  // Only services with a database load it.
  const { Reader } = await import('mmdb-lib')
  try {
    const reader = new Reader<CountryResponse>(await readFile(path))
    return (address) => {
      if (address === undefined || isIP(address) === 0) return ''
      try {
        return toCountry(reader.get(address)?.country?.iso_code)
      } catch {
        return ''
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`DOCENT_COUNTRY_DATABASE: ${path} is no readable MMDB file: ${reason}`, { cause: error })
  }
}

/** CDNs write `XX` for an unknown country, and Cloudflare `T1` for Tor. */
export function toCountry(value: unknown): string {
  return typeof value === 'string' && /^[a-z]{2}$/i.test(value) && !/^(?:xx|zz)$/i.test(value)
    ? value.toUpperCase()
    : ''
}

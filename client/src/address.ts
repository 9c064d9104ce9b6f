// The address of the service, as callers give it.

/** Returns the address without a slash at the end. Throws a TypeError when `url` is not an http address. */
export function toBaseAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new TypeError('`url` must be an address such as https://docent.example.com.')
  }
  const { origin, pathname } = address
  return origin + pathname.replace(/\/+$/, '')
}
